"""From content and results to what a browser is sent: pages, scripts, styles, and what they may load."""
