import type { CallExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findObject, findProperty, getValue } from '../source/objects.js';
import { findConnectingCall } from './connecting-call.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { Strategy } from './strategies.js';

/** Finds where applications are given a strategy. */
export function findStrategyCalls(
  migration: Migration,
  { uses, created }: Strategy,
): readonly CallExpression[] {
  return [...uses, created].flatMap((use) => findConnectingCall(migration.fileOf(use), use) ?? []);
}

/** Tells whether an application serves a strategy beside its routes. */
export function isHybrid(calls: readonly CallExpression[]): boolean {
  return calls.some((call) => isCallOf(call, 'connectMicroservice'));
}

/** Reads whether global guards, pipes, interceptors and filters ran on handlers. */
export function readGlobalEnhancers(migration: Migration, calls: readonly CallExpression[]): EndpointOptions {
  const inherited = new Set(calls.map((call) => readInheritance(migration, call)));
  return {
    members: inherited.has('true') ? ['globalEnhancers: true'] : [],
    decisions: inherited.has('unknown') ? ['globalEnhancers'] : [],
  };
}

function isCallOf(call: CallExpression, name: string): boolean {
  return call.getExpression().getText().endsWith(`.${name}`);
}

const PROVIDED = /\bAPP_(?:GUARD|PIPE|INTERCEPTOR|FILTER)\b/;

type Inheritance = 'true' | 'false' | 'unknown';

/** A microservice had those that modules provide; one that is connected had them if it asked for them. */
function readInheritance(migration: Migration, call: CallExpression): Inheritance {
  if (isCallOf(call, 'connectMicroservice')) return readHybridOptions(migration, call);
  const areProvided = migration.files.some(({ text }) => PROVIDED.test(text));
  return isCallOf(call, 'createMicroservice') && areProvided ? 'true' : 'false';
}

function readHybridOptions({ facts }: Migration, call: CallExpression): Inheritance {
  const { morph } = facts;
  const argument = call.getArguments()[1];
  if (argument === undefined) return 'false';
  const object = findObject(argument, morph);
  const member = object && findProperty(object, 'inheritAppConfig', morph);
  if (object === undefined) return 'unknown';
  if (member === undefined) {
    const isOpen = object.getProperties().some((one) => morph.Node.isSpreadAssignment(one));
    return isOpen ? 'unknown' : 'false';
  }
  const text = getValue(member, morph)?.getText();
  return text === 'true' || text === 'false' ? text : 'unknown';
}
