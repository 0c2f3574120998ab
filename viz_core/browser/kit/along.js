// What the browser shows goes along with whatever Streamlit says to Python, in that one message: as one more parameter of the
// address that each request for a run names. Nothing has to be said before that, and nothing twice.
//
// The message is Streamlit's BackMsg, in protobuf, whose parts may come twice: the later value of a field holds.

const NAME = "_shown"; // of the parameter; session.py reads it
const RERUN = (11 << 3) | 2; // tags of BackMsg.rerun_script and of its query_string and fragment_id
const QUERY = (1 << 3) | 2;
const FRAGMENT = (5 << 3) | 2;

// From now on. shown: () => what the browser shows, as JSON, or null where Python knows that already. address: () => what the message
// names as the address of the page, or null where it is right: Streamlit does not know of the steps taken since the last run.
export function sendAlong(shown, address) {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function sendWithView(data) {
    return send.call(this, data instanceof Uint8Array ? withView(data, shown, address) : data);
  };
}

// A message with what is shown; as it is where it asks for no run of the whole script.
export function withView(message, shown, address = () => null) {
  if (message[0] !== RERUN) return message;
  const asked = readFields(message);
  if (asked.has(FRAGMENT)) return message; // which does not look at the address
  const [view, known] = [shown(), address()];
  if (view === null && known === null) return message;
  const own = known ?? new TextDecoder().decode(asked.get(QUERY) ?? new Uint8Array());
  const query = view === null ? own : `${own}${own && "&"}${NAME}=${encodeURIComponent(view)}`;
  const more = field(RERUN, field(QUERY, new TextEncoder().encode(query)));
  const longer = new Uint8Array(message.length + more.length);
  longer.set(message);
  longer.set(more, message.length);
  return longer;
}

// The texts of rerun_script by their tags; an empty one is left out.
function readFields(message) {
  let at = 1;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      value += (byte & 127) * 2 ** shift;
      if (!(byte & 128)) return value;
    }
  };
  const found = new Map();
  const end = number() + at;
  while (at < end) {
    const tag = number();
    if ((tag & 7) === 0) number();
    else {
      const length = number(); // it has no field of another kind
      if (length) found.set(tag, message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}

function field(tag, content) {
  const length = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest < 128) break;
  }
  return Uint8Array.from([tag, ...length, ...content]);
}
