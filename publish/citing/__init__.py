"""Citations of one number: the formats, and what cards need to write them."""
