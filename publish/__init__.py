"""Publishing: results in, files out. No arithmetic on results happens here."""
