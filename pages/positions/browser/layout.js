// Where the lanes and the positions of the waves are, in px.

import { widestText } from "../../../viz_core/browser/kit/pen.js";

const LANE = 92; // from one lane to the next where there is room
const LEAST = { lecture: 40, read: 62 }; // otherwise
const AMPLITUDE = 1 / 2.7; // of a wave, as a share of that
const ENDS = 0.15; // left free above the first lane and below the last, as a share of it
const NARROWEST = 640; // of the whole: below it one scrolls sideways
const VALUES = 84; // right of the lanes
const AXIS = 30; // the title of the axis
const READING = 30; // the line below the figure
const TICK = 24; // of a label that is written across
export const SLANT = 40; // degrees
export const LONGEST = 120; // px, of a label that is slanted
const MOST = 24; // labels
const APART = 32; // px from one slanted label to the next

// names: px of the widest name of a lane. Returns sizes, and x(position), y(lane, value), positionAt(x), laneAt(y).
export function layoutOf({ count, names: lanes }, labels, names, room, lecture) {
  const left = names + 16;
  const width = Math.max(room.width, NARROWEST);
  const wide = Math.max(count, 2);
  const step = (width - left - VALUES) / wide;
  const thin = Math.max(1, Math.ceil(count / MOST));
  const widest = Math.min(widestText(labels), LONGEST);
  const slanted = widest > thin * step - 8;
  const turned = widest * Math.sin((SLANT * Math.PI) / 180) + TICK;
  const foot = (slanted ? turned : TICK) + AXIS;
  const free = (room.height - foot - READING) / (lanes.length + 2 * ENDS - (1 - 2 * AMPLITUDE));
  const lane = Math.max(lecture ? LEAST.lecture : LEAST.read, Math.min(LANE, free));
  const size = lane * AMPLITUDE;
  const first = size + ENDS * lane;
  const bottom = first * 2 + (lanes.length - 1) * lane;
  const middle = (index) => first + index * lane;
  return {
    width,
    height: Math.ceil(bottom + foot),
    left,
    right: left + wide * step,
    bottom,
    title: bottom + foot - AXIS / 2,
    step,
    slanted,
    thin: slanted ? Math.max(thin, Math.ceil(APART / step)) : thin,
    x: (position) => left + (position + 0.5) * step,
    y: (index, value) => middle(index) - value * size,
    positionAt: (x) => Math.floor((x - left) / step),
    laneAt: (y) => Math.round((y - first) / lane),
  };
}
