"""Files that a teacher edits, read with every mistake in them: where it stands, what was found, what is allowed."""
