// Names that other scripts of the page put into the global scope.

/** Plotly.js, loaded as a classic script (templates/assets/vendor/plotly). */
declare const Plotly: any;

/** What the page's scripts share: each adds its part. */
declare var RLPU: any;
