// The list of talks, each with its length, a description, and buttons to start it.

import { Button } from "../../web/src/ui/elements";
import { textsIn } from "../../web/src/texts";
import { part, useView } from "../../web/src/ui/part";

const texts = textsIn("app.lecture.list");

interface Talk {
  name: string;
  title: string;
  size: string;
  about: string;
  starts: boolean; // whether it has any view
  is_lesson: boolean;
}

function TalkList({ talks }: { talks: Talk[] }) {
  return (
    <ul>
      {talks.map((talk) => (
        <li key={talk.name}>
          <p>
            <strong>{talk.title}</strong> · {talk.size}
            <br />
            {talk.about}
          </p>
          <span>
            {talk.starts && <Start talk={talk} lecture={false} />}
            {talk.starts && !talk.is_lesson && <Start talk={talk} lecture={true} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

// A lesson is for one reader, so it is never started in lecture mode.
function Start({ talk: { name, title }, lecture }: { talk: Talk; lecture: boolean }) {
  const { send } = useView();
  const words = lecture ? texts.start_in_lecture_mode : texts.start;
  return <Button aria-label={`${words}: ${title}`} act={() => send?.("start", { name, lecture })} words={words} />;
}

export const mountTalkList = part(TalkList);
