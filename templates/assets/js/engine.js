// The core in the reader's tab: MicroPython, loaded when it is first needed. Main thread: calls are short.
"use strict";

(function () {
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
  /** @type {Promise<any> | null} */
  let engine = null;

  /**
   * Run a classic script of the site; it works from file:// too.
   * @param {string} path
   * @returns {Promise<void>}
   */
  function load(path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("../engine/" + path, base).href;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(path));
      document.head.append(script);
    });
  }

  /** @param {string} packed base64 of gzipped bytes */
  async function unpacked(packed) {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** @param {any} setup */
  async function boot(setup) {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly");
    const scope = /** @type {any} */ (globalThis);
    // A saved page has them inside already.
    const needed = { RLPU_MICROPYTHON: "micropython.js", RLPU_WASM: "wasm.js", RLPU_CORE: "core.js" };
    await Promise.all(Object.entries(needed).map(([name, path]) => (name in scope ? null : load(path))));
    if (!scope.loadMicroPython) scope.RLPU_MICROPYTHON();
    const python = await scope.loadMicroPython({ wasmBinary: await unpacked(scope.RLPU_WASM), url: "micropython.wasm" });
    python.FS.mkdir("compute");
    for (const [path, text] of Object.entries(scope.RLPU_CORE)) python.FS.writeFile(path, text);
    const core = python.pyimport("compute.live");
    core.begin(JSON.stringify(setup));
    return core;
  }

  RLPU.engine = {
    /**
     * Load the engine, once. Rejects when WebAssembly is missing or fails.
     * @param {any} setup
     */
    start(setup) {
      engine = engine || boot(setup);
      return engine;
    },

    /**
     * Call a function of compute/live.py: JSON in, JSON out.
     * @param {any} core what start() gave
     * @param {string} name
     * @param {...any} values
     */
    call(core, name, ...values) {
      return JSON.parse(core[name](...values.map((value) => JSON.stringify(value))));
    },
  };
})();
