import type { Message } from './collect-messages.js';

/** A kind of text that needs no heading in `docs/messages.md` or `docs/troubleshooting.md`, and why. */
export interface Kind {
  readonly why: string;
  readonly isOf: (message: Message) => boolean;
}

/**
 * What tells its reader what to do: a verb in the imperative behind a stop, or what something must be. That clients should wait or
 * try again says nothing to those who run the server.
 */
const INSTRUCTION =
  /(?:[:;,]|\bor|\band|^) (?:first )?(?:accept|add|answer|ask|await|begin|build|call|check|choose|configure|convert|declare|derive|describe|emit|encode|exclude|export|find|get|give|grant|have|import|install|keep|leave|let|list|log in|look|lower|make|mark|move|name|omit|open|pass|post|provide|put|raise|read|register|remove|rename|repeat|request|restart|return|run|say|see|send|serve|set|shorten|split|start|store|subscribe|take|throw|unsubscribe|use|wrap|write) |\bmust (?:allow|be|begin|carry|end|give|have|hold|lead|name|not|return|say|stand)\b|\bis required\b|\bdid you mean\b|^(?:Contact|Give|Provide|Set|Tell|Use|Write) |, so write /;

/** Whoever writes an application meets these when it starts, or at the line that is wrong: each names the option, the handler or the argument. */
const OF_DEVELOPERS = new Set([
  'CatalogError',
  'ExtensionError',
  'FormSchemaError',
  'HandlerResultError',
  'ApplicationError',
  'McpClientConfigurationError',
  'McpConfigurationError',
  'RangeError',
  'SchemaError',
  'TypeError',
  'UriTemplateError',
  'UsageError',
  'fail',
]);

/** What these take stands behind a message of the page that says what is wrong with it. */
const OF_PARTS = new Set([
  // Behind "Invalid request: …", "Invalid params: …" and "Header mismatch: …".
  'invalidRequest',
  'invalidParams',
  'headerMismatch',
  'HeaderValueError',
  'assertConcise',
  // Behind "A token was refused: …", and those that name what failed when a document was fetched.
  'InvalidTokenError',
  'DocumentError',
  'ChallengeSyntaxError',
  'TokenRequestRefusedError',
  // Of a sentence that says how long an answer is, and may be.
  'formatExcess',
  'refuseToShorten',
]);

/** What these take is the reason with which a signal aborts or a session ends, for handlers that ask. */
const OF_REASONS = new Set(['cancel', 'close', 'end', 'endHere', 'finish', 'interrupt', 'remove']);

/** What begins with a name and goes on with a verb. */
const SENTENCE = /^(?:…|"[^"]*") (?:answers|cannot|did|failed|gave|has|is not any|tasks could) /;

/** A part of a sentence, whose begin the page has. */
export const BEHIND_OTHERS: Kind = {
  why: 'It is a part, and stands behind a message of the page',
  isOf: ({ taker, text }) =>
    OF_PARTS.has(taker) ||
    text.startsWith('Try again later') ||
    (!/^[A-Z][a-z]* ./.test(text) && !SENTENCE.test(text)),
};

/** Every kind of text that explains itself, or is no message. */
export const SELF_EXPLAINING: readonly Kind[] = [
  { why: 'It says what to do', isOf: ({ text }) => INSTRUCTION.test(text) },
  {
    why: 'It names what the developer has written, in its place',
    isOf: ({ taker }) => OF_DEVELOPERS.has(taker),
  },
  BEHIND_OTHERS,
  {
    why: 'It compares a claim with what was expected, behind a message of the page',
    isOf: ({ text }) => /^"(?:iss|kid|…)" is .*, expected |^"[\w.]+" is …$/.test(text),
  },
  {
    why: 'It names alternatives',
    isOf: ({ text }) => /^(?:…|"\w+") or (?:…|"\w+"|\w+)(?: of them)?$|^… characters or/.test(text),
  },
  {
    why: 'It is the reason of an end, which a handler may read',
    isOf: ({ taker, text, file }) =>
      (OF_REASONS.has(taker) || /^The \w+ (?:cancelled|closed|ended|expired|failed|is over$)/.test(text)) &&
      !file.includes('/tasks/ledger/'),
  },
  {
    why: 'It names an option that is an exit from a safe default, and what that costs',
    isOf: ({ file }) => /\/(?:unsafe-settings|unsafe-options)\.ts$/.test(file),
  },
  {
    why: 'It is said by the command line, about the command that was given',
    isOf: ({ file }) => /^cli\/(?!server\/|doctor\/)/.test(file),
  },
  {
    why: 'It is shown on the page, beside what it is about',
    isOf: ({ file }) => file.startsWith('explorer/') || file === 'authorization-server/login/pages.ts',
  },
  {
    why: 'It is said while somebody logs in, about the next step',
    isOf: ({ file }) => /\/(?:read-answer|token-source|loopback-authorizer|loopback-page)\.ts$/.test(file),
  },
  {
    why: 'It is a finding of the doctor, which has what to do beside it',
    isOf: ({ file }) => /^(?:cli\/doctor|core\/doctor|server\/production)\//.test(file),
  },
  {
    why: 'It is a finding of the lint, or what to do about it',
    isOf: ({ file }) => file.startsWith('core/lint/rules/'),
  },
  {
    why: 'It tells a test that fails what was expected and found',
    isOf: ({ file }) => file.startsWith('testing/'),
  },
  {
    why: 'It says what of a schema has no JSON Schema, in a sentence that says what to do',
    isOf: ({ text }) => text.endsWith(' cannot be represented in JSON Schema'),
  },
  {
    why: 'It describes a tool of the server to models',
    isOf: ({ file, taker }) => file.endsWith('/methods/tool-search.ts') && taker !== 'warn',
  },
  {
    why: 'It is a program of Redis',
    isOf: ({ file }) => file.startsWith('redis/') && file.includes('script'),
  },
  {
    why: 'It describes an instrument or the status of a span of OpenTelemetry',
    isOf: ({ file }) => /\/telemetry\/(?:durations|guarded-meter|outcome|instruments)\.ts$/.test(file),
  },
  {
    why: 'It is the help of an option that several commands have',
    isOf: ({ file, taker }) =>
      ['', 'flagOption', 'formatOptions', 'listOption', 'valueOption'].includes(taker) &&
      /^cli\/server\/(?:called-server|parse-header|server-options)\.ts$/.test(file),
  },
];
