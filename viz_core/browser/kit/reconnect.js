// Streamlit opens its connection again by itself where it was cut, but asks for no run then. The server may know nothing of this
// session: its process has ended, and another one has taken over.

const STREAM = /\/_stcore\/stream$/;

// From now on: calls back each time a connection is there that is not this tab's first.
export function whenReconnected(callBack) {
  const construct = (Socket, named) => {
    const socket = new Socket(...named);
    const begin = () => setTimeout(callBack); // after Streamlit's own listener
    if (STREAM.test(new URL(socket.url).pathname)) socket.addEventListener("open", begin);
    return socket;
  };
  globalThis.WebSocket = new Proxy(WebSocket, { construct });
}
