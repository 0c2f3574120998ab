// Sends the edits to Python until it confirms them: between two pages a message can get lost.

const UNHEARD = 1500; // ms

// deliverToPython(message). Returns { send(link), adopt(data), stop() }.
export function makeSender(deliverToPython) {
  let session = null;
  let sent = 0;
  let heard = 0;
  let link = "";
  let waiting = 0;
  const deliver = () => {
    clearTimeout(waiting);
    deliverToPython({ number: sent, link });
    waiting = setTimeout(() => {
      if (heard < sent) deliver();
    }, UNHEARD);
  };
  return {
    send(text) {
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
