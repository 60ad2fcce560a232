"""Every number computed again by other routes, and the page that says what came of it."""
