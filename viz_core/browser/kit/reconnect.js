// Streamlit opens its connection again by itself where it was cut, but asks for no run then. The server may know nothing of this
// session: its process has ended, and another one has taken over.

const STREAM = /\/_stcore\/stream$/;

// From now on: calls back each time a connection is there that is not this tab's first.
export function whenReconnected(callBack) {
  globalThis.WebSocket = class extends WebSocket {
    constructor(...named) {
      super(...named);
      if (STREAM.test(new URL(this.url).pathname)) this.addEventListener("open", () => setTimeout(callBack)); // after Streamlit's own
    }
  };
}
