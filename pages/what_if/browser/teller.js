// Tells Python, and says it again until it is confirmed: while one page follows another, what is said gets lost.

const UNHEARD = 1500; // ms

// send(message). Returns { tell(link), adopt(data), stop() }.
export function makeTeller(send) {
  let session = null;
  let sent = 0;
  let heard = 0;
  let link = "";
  let waiting = 0;
  const deliver = () => {
    clearTimeout(waiting);
    send({ number: sent, link });
    waiting = setTimeout(() => {
      if (heard < sent) deliver();
    }, UNHEARD);
  };
  return {
    tell(text) {
      sent += 1;
      link = text;
      deliver();
    },
    // Whether Python has heard everything, so that its state is the newest.
    adopt(from) {
      if (from.session !== session) [session, sent, heard] = [from.session, from.heard, from.heard];
      heard = Math.max(heard, from.heard);
      if (heard >= sent) clearTimeout(waiting);
      return heard >= sent;
    },
    stop: () => clearTimeout(waiting),
  };
}
