import { randomUUID } from 'node:crypto';
import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { ElicitationAction } from '../../core/protocol/input-requests.js';
import { encodeRequestParams, findRequestGap } from '../../core/protocol/encoding/encode-client-request.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type {
  ContentOf,
  ElicitationAnswer,
  ElicitationConsent,
  ElicitationForm,
  ElicitationPage,
  TypedInputRequest,
} from '../context/input-request.interface.js';
import { InvalidAnswerError } from './errors.js';
import { type FormSchema, getFormSchema } from './form-schema.js';
import { FORM_CAPABILITY, URL_CAPABILITY } from './required-capabilities.js';
import { formatIssues } from '../schema/validation-issues.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';

const METHOD = 'elicitation/create';

/**
 * Builds a form elicitation, to send with other input requests through `context.requestAll()`.
 *
 * @example
 * const { date } = await context.requestAll({ date: elicitation({ message: 'When?', schema: When }) });
 *
 * @see MCP client/elicitation
 */
export function elicitation<Schema extends SchemaSource>(
  form: ElicitationForm<Schema>,
): TypedInputRequest<ElicitationAnswer<ContentOf<Schema>>> {
  const schema = getFormSchema(form.schema);
  const params = { message: form.message, requestedSchema: schema.requestedSchema };
  const request = { method: METHOD, params } as const;
  return {
    method: METHOD,
    options: form,
    ...FORM_CAPABILITY,
    findUnsupported: (revision) => findRequestGap(request, revision),
    buildParams: (revision) => encodeRequestParams(request, revision),
    parseAnswer: (result) => parseForm(result, schema) as Promise<ElicitationAnswer<ContentOf<Schema>>>,
  };
}

/**
 * Builds a URL elicitation, to send with other input requests through `context.requestAll()`.
 *
 * @example
 * const page = { message: 'Pay for the order', url: 'https://pay.example.com/checkout' };
 * const { payment } = await context.requestAll({ payment: urlElicitation(page) });
 *
 * @throws {TypeError} if `url` is not a URL
 * @see MCP 2025-11-25 client/elicitation, "URL Mode"
 */
export function urlElicitation(page: ElicitationPage): TypedInputRequest<ElicitationConsent> {
  const elicitationId = page.elicitationId ?? randomUUID();
  const { message, url } = page;
  if (!URL.canParse(url)) {
    throw new TypeError('"url" must be a URL such as "https://pay.example.com/checkout"');
  }
  return {
    method: METHOD,
    options: page,
    ...URL_CAPABILITY,
    findUnsupported: (revision) => findRequestGap({ method: METHOD, params: { mode: 'url' } }, revision),
    buildParams: ({ defines }: Revision) => ({
      mode: 'url',
      message,
      url,
      ...(defines.elicitationId && { elicitationId }),
    }),
    parseAnswer: (result) => ({ action: parseAction(result), elicitationId }),
  };
}

async function parseForm(result: unknown, schema: FormSchema): Promise<ElicitationAnswer<OpenObject>> {
  const action = parseAction(result);
  if (action !== 'accept') return { action };
  // A form without properties has only a button, so clients may omit "content".
  const content = (result as { readonly content?: unknown }).content ?? {};
  if (!isObject(content)) throw new InvalidAnswerError(METHOD, '"content" must be an object');
  const outcome = await schema.validate(content);
  if (!outcome.valid) throw new InvalidAnswerError(METHOD, formatIssues(outcome.issues));
  return { action, content: outcome.value as OpenObject };
}

function parseAction(result: unknown): ElicitationAction {
  const action = isObject(result) ? result['action'] : undefined;
  if (action === 'accept' || action === 'decline' || action === 'cancel') return action;
  throw new InvalidAnswerError(METHOD, '"action" must be "accept", "decline" or "cancel"');
}
