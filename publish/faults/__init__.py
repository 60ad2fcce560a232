"""The fault atlas: implementation paths, right and wrong."""
