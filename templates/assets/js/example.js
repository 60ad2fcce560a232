// A Python program that the reader may change and run: an interpreter of its own, in a worker, so that it can be stopped.
"use strict";

(function () {
  const { live } = RLPU;
  const block = document.getElementById("example");
  if (!block || !live) return;
  const LONGEST_S = 10;

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const source = element("example-source");
  const code = /** @type {HTMLTextAreaElement} */ (element("example-code"));
  const output = element("example-output");
  const original = source.textContent || "";
  const builtOutput = output.textContent || "";
  let ran = original; // what the output belongs to

  /** @type {Worker | null} */
  let worker = null;
  let limit = 0;

  // Runs in the worker; only its text leaves this page. What it prints comes back in pieces, not line by line: a program
  // may print faster than a page can show.
  const PROGRAM = `
    const PIECE_MS = 100, MOST = 200000;
    onmessage = async ({data: {wasm, code}}) => {
      const decoder = new TextDecoder();
      let text = "", sent = 0, last = Date.now();
      const send = () => { postMessage({text}); sent += text.length; text = ""; last = Date.now(); };
      const stdout = (bytes) => {
        text += decoder.decode(bytes, {stream: true});
        if (sent + text.length > MOST) { send(); postMessage({end: "too_much"}); for (;;); }
        if (Date.now() - last > PIECE_MS) send();
      };
      let python;
      try {
        python = await globalThis.loadMicroPython({wasmBinary: wasm, url: "micropython.wasm", linebuffer: false, stdout});
      } catch (error) {
        return postMessage({end: "unavailable"});
      }
      try {
        python.runPython(code);
        send();
        postMessage({end: "done"});
      } catch (error) {
        text += String(error.message || error);
        send();
        postMessage({end: "failed"});
      }
    };`;

  /** @param {string} tag @param {string} text */
  function made(tag, text) {
    const result = document.createElement(tag);
    result.textContent = text;
    return result;
  }

  /** @param {string} key @param {Record<string, any>} [values] */
  function say(key, values = {}) {
    element("example-status").textContent = key ? live.words("example." + key, values) : "";
  }

  /** @param {boolean} running */
  function show(running) {
    const [stop, start] = [element("example-stop"), element("example-run")];
    const focused = document.activeElement;
    stop.hidden = !running;
    start.toggleAttribute("disabled", running);
    if (running && focused === start) stop.focus();
    if (!running && focused === stop) start.focus();
  }

  /** End the run, if there is one. */
  function end() {
    clearTimeout(limit);
    worker?.terminate();
    worker = null;
    show(false);
  }

  /** @param {{text?: string, end?: string}} message */
  function take({ text, end: how }) {
    if (text) output.firstElementChild?.append(text);
    if (!how) return;
    end();
    say(how === "done" && !output.textContent?.trim() ? "nothing" : how);
  }

  /** @param {string} title a key @param {string} text */
  function showOutput(title, text) {
    output.firstElementChild?.replaceChildren(text);
    element("example-output-title").textContent = live.words(title);
  }

  async function run() {
    end();
    showOutput("example.output", "");
    ran = code.value;
    say("running");
    show(true);
    try {
      const { micropython, wasm } = await RLPU.engine.parts();
      const url = URL.createObjectURL(new Blob(["(" + micropython + ")();" + PROGRAM], { type: "text/javascript" }));
      worker = new Worker(url);
      URL.revokeObjectURL(url);
      worker.onmessage = (event) => take(event.data);
      worker.onerror = () => take({ end: "unavailable" });
      worker.postMessage({ wasm, code: ran });
    } catch (error) {
      take({ end: "unavailable" });
      return;
    }
    limit = setTimeout(() => {
      end();
      say("too_long", { seconds: LONGEST_S });
    }, LONGEST_S * 1000);
  }

  element("example-run").addEventListener("click", run);
  element("example-stop").addEventListener("click", () => {
    end();
    say("stopped");
  });
  element("example-reset").addEventListener("click", () => {
    end();
    code.value = ran = original;
    showOutput("example.built", builtOutput);
    say("");
  });
  // A saved page has the program that was run, beside what it printed.
  document.addEventListener("beforesave", () => { source.replaceChildren(made("code", ran)); });
  code.value = original;
  source.hidden = true;
  /** @type {HTMLElement} */ (block.querySelector(".editor")).hidden = false;
})();
