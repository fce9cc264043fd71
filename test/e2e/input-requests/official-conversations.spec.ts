import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootBooking, BookingHandlers } from './booking.app.js';
import { GUESTS, type Answers, type Guest } from './official-guests.js';

const CASES = ADAPTERS.flatMap((adapter) => GUESTS.map((guest) => ({ adapter, ...guest })));
const ADA = { action: 'accept', content: { name: 'Ada', email: 'ada@example.com' } } as const;
const HOME = { uri: 'file:///home/ada', name: 'Home' };
const WORK = { uri: 'file:///work', name: 'Work' };

describe.each(CASES)('The official client $kind, on $adapter', ({ adapter, hasSession, connect }) => {
  let booking: RunningApp;
  let guest: Guest;

  beforeAll(async () => {
    booking = await bootBooking(adapter);
  });

  afterEach(() => guest.close());

  afterAll(() => booking.close());

  async function arrive(answers: Answers = {}): Promise<Guest> {
    guest = await connect(booking.url, answers);
    return guest;
  }

  it('speaks its own revision (VER-01)', async () => {
    const { version } = await arrive();
    expect(version).toBe(hasSession ? '2025-11-25' : '2026-07-28');
  });

  it('answers the forms of two rounds (REV-01) (REV-02)', async () => {
    const stay = {
      action: 'accept',
      content: { nights: 3, room: 'single', extras: ['bike', 'boat'] },
    } as const;
    const { booked } = booking.app.get(BookingHandlers);
    const { call, asked, messages } = await arrive({
      elicited: [{ ...stay, content: { ...stay.content, extras: [...stay.content.extras] } }, ADA],
    });
    expect(await call('book', { city: 'Oslo' })).toBe('Ada: 3 nights, single, bike and boat more');
    expect(messages).toEqual(['How long in Oslo?', 'Who comes?']);
    expect(asked).toHaveLength(2);
    expect(booking.app.get(BookingHandlers).booked).toBe(booked + 1);
  });

  it('leaves defaults to the server (REV-01)', async () => {
    const { call } = await arrive({ elicited: [{ action: 'accept', content: {} }, ADA] });
    expect(await call('book', { city: 'Rome' })).toBe('Ada: 2 nights, double, nothing more');
  });

  it('is told what was wrong where it accepts a form with nothing in it (HOST-05)', async () => {
    const empty = { action: 'accept', content: {} } as const;
    const { call, messages } = await arrive({ elicited: [empty, ...Array.from({ length: 5 }, () => empty)] });
    expect(await call('book', { city: 'Rome' })).toMatch(
      /^The client's answer to "elicitation\/create" is not valid: name: /,
    );
    const [, first, ...repeated] = messages;
    expect([first, repeated.length]).toEqual(['Who comes?', hasSession ? 0 : 4]);
    const reason = 'Who comes?\n\nThe last answer was not accepted: name: ';
    expect(repeated.filter((message) => message.startsWith(reason))).toHaveLength(repeated.length);
  });

  it.each(['decline', 'cancel'] as const)(
    'answers a form with "%s" in each round (REV-01)',
    async (action) => {
      const { call } = await arrive({
        elicited: [{ action }, { action: 'accept', content: { nights: 1 } }, { action }],
      });
      expect(await call('book', { city: 'Bern' })).toBe(`No stay in Bern: ${action}`);
      expect(await call('book', { city: 'Bern' })).toBe(`Nobody comes: ${action}`);
    },
  );

  it('answers for its model (REV-01)', async () => {
    const { call, asked } = await arrive({ sampled: ['Welcome'] });
    expect(await call('greet')).toBe('m1: Welcome');
    expect(asked).toEqual(['sampling/createMessage']);
  });

  it('lists its roots, once until they change where there is a session (REV-01) (NOTE-07)', async () => {
    const { call, changeRoots, asked } = await arrive({ roots: [HOME] });
    expect([await call('folders'), await call('folders')]).toEqual(['Home', 'Home']);
    await changeRoots([HOME, WORK]);
    expect([await call('folders'), await call('folders')]).toEqual(['Home, Work', 'Home, Work']);
    expect(asked).toHaveLength(hasSession ? 2 : 4);
  });

  it('answers several questions at once (REV-02)', async () => {
    const { call, asked } = await arrive({ elicited: [ADA], sampled: ['Welcome'], roots: [HOME, WORK] });
    expect(await call('prepare')).toBe('accept, m1, 2');
    expect(asked.toSorted()).toEqual(['elicitation/create', 'roots/list', 'sampling/createMessage']);
  });

  it.each(['accept', 'decline', 'cancel'] as const)('answers a page with "%s" (REV-01)', async (action) => {
    const { call, messages } = await arrive({ elicited: [{ action }] });
    expect(await call('pay')).toBe(action);
    expect(messages).toEqual(['Pay']);
  });

  it('answers a handler that gives its questions itself, in two rounds (REV-02)', async () => {
    const { call, messages } = await arrive({
      elicited: [{ action: 'accept', content: { stars: 5 } }, { action: 'decline' }],
    });
    expect(await call('survey')).toBe('Thank you: decline');
    expect(messages).toEqual(['How was it?', 'How was it?']);
  });

  it('is asked by prompts and resources too (REV-02)', async () => {
    const { getPrompt, readResource } = await arrive({ elicited: [ADA], roots: [HOME] });
    expect(await getPrompt('plan')).toMatchObject({
      messages: [{ content: { text: 'Plan a trip for Ada' } }],
    });
    expect(await readResource('booking://folders')).toMatchObject({ contents: [{ text: 'Home' }] });
  });

  it('answers two calls at once, each for itself (SESS-04)', async () => {
    const { call } = await arrive({ roots: [HOME], sampled: ['one', 'two'] });
    const answers = await Promise.all([call('greet'), call('folders'), call('greet')]);
    expect(answers[1]).toBe('Home');
    expect(new Set(answers)).toEqual(new Set(['Home', 'm1: one', 'm1: two']));
  });
});

const SESSION_CASES = CASES.filter(({ hasSession }) => hasSession);

describe.each(SESSION_CASES)('The official client $kind, asked on $adapter', ({ adapter, connect }) => {
  let booking: RunningApp;
  let guest: Guest;

  beforeAll(async () => {
    booking = await bootBooking(adapter);
  });

  afterEach(() => guest.close());

  afterAll(() => booking.close());

  it('takes the form back from its user where it cancels the call (CANC-01) (CANC-03)', async () => {
    guest = await connect(booking.url, { elicited: ['never'] });
    const stop = new AbortController();
    const call = guest.call('book', { city: 'Oslo' }, stop.signal);
    await until(() => guest.messages.length > 0, 'the form');
    stop.abort('changed my mind');
    await expect(call).rejects.toThrow('changed my mind');
    await until(() => guest.takenBack.length > 0, 'the form to be taken back');
    expect(guest.takenBack).toEqual(['How long in Oslo?']);
    expect(await guest.call('folders')).toBe('');
  });

  it('may refuse: the tool fails, and says why (REV-01)', async () => {
    guest = await connect(booking.url);
    expect(await guest.call('greet')).toMatch(
      /^The client rejected "sampling\/createMessage": .*out of words/,
    );
    expect(await guest.call('folders')).toBe('');
  });
});
