"""What is written for readers, in both languages: words, numbers as text, formulas, conditions, prose."""
