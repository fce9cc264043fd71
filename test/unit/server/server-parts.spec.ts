import 'reflect-metadata';
import { Inject, Injectable, Module, Optional, type OnModuleInit, type Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { joinParts, ServerParts } from '../../../lib/server/server-parts.js';

@Injectable()
class Clock {}

@Injectable()
class Journal {
  constructor(
    readonly clock: Clock,
    @Optional() @Inject('limit') readonly limit?: number,
  ) {}
}

/** Nest has to call its hook. */
@Injectable()
class Opening implements OnModuleInit {
  isOpen = false;

  constructor(readonly journal: Journal) {}

  onModuleInit(): void {
    this.isOpen = true;
  }
}

/** The application injects it. */
@Injectable()
class Desk {
  constructor(
    readonly opening: Opening,
    readonly journal: Journal,
  ) {}
}

/** Nobody injects it. */
@Injectable()
class Watch {
  constructor(readonly journal: Journal) {}
}

const COUNTER = Symbol('counter');
const PROVIDERS: readonly Provider[] = [
  Clock,
  Journal,
  Opening,
  Desk,
  Watch,
  { provide: COUNTER, useFactory: (journal: Journal) => ({ journal }), inject: [Journal] },
];

async function start(...others: readonly Provider[]) {
  const providers = [...joinParts(PROVIDERS, new Set([Desk])), ...others];
  const module = await Test.createTestingModule({ providers }).compile();
  return module.init();
}

describe('The parts of a server', () => {
  it('are not made by Nest', async () => {
    const module = await start();
    expect(() => module.get(Journal)).toThrow('Journal');
  });

  it('are made once, for all that need them', async () => {
    const module = await start();
    const { journal, opening } = module.get(Desk);
    expect(journal).toBeInstanceOf(Journal);
    expect(opening.journal).toBe(journal);
    expect(module.get<{ readonly journal: Journal }>(COUNTER).journal).toBe(journal);
  });

  it('are found by their class', async () => {
    const module = await start();
    expect(module.get(ServerParts).find(Clock)).toBe(module.get(Desk).journal.clock);
  });

  it('get what Nest injects', async () => {
    const module = await start({ provide: 'limit', useValue: 5 });
    expect(module.get(Desk).journal.limit).toBe(5);
  });

  it('do without what is optional', async () => {
    const module = await start();
    expect(module.get(Desk).journal.limit).toBeUndefined();
  });

  it('do not include what has a hook, which Nest calls', async () => {
    const module = await start();
    expect(module.get(Opening).isOpen).toBe(true);
  });

  it('do not include what nobody injects, which works by itself', async () => {
    const module = await start();
    expect(module.get(Watch).journal).toBe(module.get(Desk).journal);
  });

  it('belong to one server each', async () => {
    @Module({ providers: [...joinParts(PROVIDERS, new Set([Desk]))] })
    class First {}
    @Module({ providers: [...joinParts(PROVIDERS, new Set([Desk]))] })
    class Second {}
    const module = await Test.createTestingModule({ imports: [First, Second] }).compile();
    const desks = [First, Second].map((server) => module.select(server).get(Desk, { strict: true }));
    expect(desks[0]?.journal).not.toBe(desks[1]?.journal);
  });

  it('give way to what a test puts in the place of a provider', async () => {
    const stub = { isOpen: true };
    const testing = Test.createTestingModule({ providers: [...joinParts(PROVIDERS, new Set([Desk]))] });
    const module = await testing.overrideProvider(Opening).useValue(stub).compile();
    expect(module.get(Desk).opening).toBe(stub);
  });
});
