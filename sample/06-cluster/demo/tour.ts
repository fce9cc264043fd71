import type { Started } from '../start.js';
import { castOff } from './crossings.js';
import { Passenger } from './passenger.js';
import { say, show, showCheck } from './terminal.js';
import { waitFor } from './wait-for.js';

const LAST = 200;
const KILLED_AFTER = 50;

/** Kills the process that a client listens at. Gives whether everything that is promised held. */
export async function tour({ url, processes }: Started): Promise<boolean> {
  const [ada, bob] = await Promise.all([Passenger.arrive(url), Passenger.arrive(url)]);
  await waitFor(() => ada.streams.length > 0 && bob.streams.length > 0);

  say('Ada listens to announcements, and Bob asks for what he needs');
  const [place = ''] = ada.streams;
  show('Ada', `her stream is in ${place}`);
  const first = await book(bob);

  say(`Announcements 1 to ${LAST}, each by a call of Bob's; after ${KILLED_AFTER} of them, kill -9`);
  const answers = new Map<string, number>();
  let repeats = 0;
  const announce = async (from: number, to: number): Promise<void> => {
    for (let number = from; number <= to; number += 1) {
      const answer = await bob.callTwice('announce', { number, text: `Ferry ${number} departs` });
      const process = answer.text.replace('announced at ', '');
      answers.set(process, (answers.get(process) ?? 0) + 1);
      repeats += answer.repeats;
    }
  };
  await announce(1, KILLED_AFTER);
  await waitFor(() => ada.heard.length >= KILLED_AFTER);
  // Last before the kill: a crossing that lands first would have its result.
  const landed = await castOff(bob, processes.length);
  const killed = processes.find(({ name }) => name === place);
  const killedAt = performance.now();
  await killed?.end('SIGKILL');
  show(place, `is killed (pid ${killed?.pid}), with Ada's stream and one of Bob's crossings`);
  const isBack = waitFor(() => ada.streams.length > 1).then(() => performance.now() - killedAt);
  await announce(KILLED_AFTER + 1, LAST);
  show('Bob', `was answered by ${[...answers].map(([name, count]) => `${name} ${count} times`).join(', ')}`);
  const backAfter = await isBack;
  show('Ada', `came back to ${ada.streams[1] ?? ''} after ${seconds(backAfter)}`);
  await waitFor(() => ada.heard.length >= LAST && bob.heard.length >= LAST);

  const second = await book(bob);
  const crossings = await landed();
  for (const { process, end } of crossings) show('Bob', `the crossing of ${process}: ${end}`);

  say('What was promised');
  const isWhole = ada.heard.length === LAST && new Set(ada.heard).size === LAST;
  // Calls that other processes answer may overtake one another; the order is then the same for everybody.
  const isSame = ada.heard.join() === bob.heard.join();
  const checks: readonly (readonly [boolean, string])[] = [
    [isWhole && isSame, `Ada heard all ${LAST} announcements once, in the order in which Bob heard them`],
    [sum(answers) === LAST, `each of Bob's ${LAST} calls was answered; ${repeats} had to be made again`],
    [first && second, 'questions were answered through another process than the one that asked'],
    [
      crossings.every(({ process, isError }) => isError === (process === place)),
      'the call of the killed process was answered with an error that says so, the others with their results',
    ],
  ];
  for (const [holds, text] of checks) showCheck(holds, text);
  await Promise.all([ada.leave(), bob.leave()]);
  return checks.every(([holds]) => holds);
}

/** Books, and is asked; gives whether the answer went through another process. */
async function book(bob: Passenger): Promise<boolean> {
  bob.answeredThrough = undefined;
  const text = await bob.call('book');
  const asked = text.replace(/.* at /, '');
  await waitFor(() => bob.answeredThrough !== undefined);
  const through = bob.answeredThrough ?? '';
  show('Bob', `is asked by ${asked}, answers through ${through}, and gets ${text}`);
  return asked !== through;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
