"""Words whose truth depends on numbers: which hold for the results of a build, and how a page marks the others."""
