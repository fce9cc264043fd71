import { APPS_EXTENSION_ID, APP_MIME_TYPE } from '../../protocol/apps/app-meta.js';
import { formatHeaderValue } from '../../protocol/headers/header-value.js';
import { isObject } from '../../protocol/json-rpc.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../protocol/revisions.js';
import type { JsonObject } from '../../protocol/parse-json-object.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import { buildHandshaken, buildInitialized } from '../probe/messages.js';
import { quote } from '../quote.js';
import { judgePage, judgeTool, type AppFinding } from './app-judgement.js';

/** Whether hosts can show the apps that tools name. */
export const APP_CHECKS: readonly Check[] = [{ id: 'apps', run: checkApps }];

/** Longer lists, and further apps, are not examined. */
const MOST_PAGES = 20;
const MOST_APPS = 20;

const MOST_TOLD = 3;

/** What a host declares that shows apps. */
const SHOWS_APPS = { extensions: { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] } } };

/** Asks as a host does; nothing comes of what is refused. */
type Ask = (method: string, params?: JsonObject) => Promise<JsonObject | undefined>;

async function checkApps(patient: Patient): Promise<Outcome | undefined> {
  const ask = await selectAsking(patient);
  if (ask === undefined) return undefined;
  const tools = await listAll(ask, 'tools/list', 'tools');
  const judged = tools.map((tool) => judgeTool(tool));
  const uris = [...new Set(judged.flatMap(({ uri }) => (uri === undefined ? [] : [uri])))];
  if (judged.every(({ isOfApp }) => !isOfApp)) return undefined;
  const resources = uris.length === 0 ? [] : await listAll(ask, 'resources/list', 'resources');
  const findings = judged.flatMap((one) => one.findings);
  for (const uri of uris.slice(0, MOST_APPS)) {
    const listed = resources.find((resource) => resource['uri'] === uri);
    findings.push(...judgePage(uri, await ask('resources/read', { uri }), listed));
  }
  return conclude(findings, uris.length);
}

function conclude(findings: readonly AppFinding[], count: number): Outcome {
  if (findings.length === 0) return ok(`Hosts can show ${count} app${count === 1 ? '' : 's'}`);
  const faults = findings.filter(({ isFault }) => isFault);
  const told = (faults.length > 0 ? faults : findings).map(({ text }) => quote(text));
  const shown = told.slice(0, MOST_TOLD);
  if (told.length > MOST_TOLD) shown.push(`and ${told.length - MOST_TOLD} more`);
  const found = `Hosts do not show every app as it is meant: ${shown.join(', ')}`;
  const remedy = 'Change what the tool or its app declares, or what the page loads';
  return faults.length > 0 ? fault(found, remedy) : warning(found, remedy);
}

async function listAll(ask: Ask, method: string, list: string): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const result = await ask(method, cursor === undefined ? {} : { cursor });
    const listed = result?.[list];
    if (!Array.isArray(listed)) break;
    entries.push(...listed.filter(isObject));
    cursor = result?.['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return entries;
}

/** Asks a server that declares tools: without a handshake, or in a session whose handshake declares that apps are shown. */
async function selectAsking(patient: Patient): Promise<Ask | undefined> {
  const { result: discovery } = await patient.discovery();
  if (declaresTools(discovery)) {
    return async (method, params) => {
      const message = patient.introductions.buildPerRequest(method, params, SHOWS_APPS);
      const uri = params?.['uri'];
      const headers = typeof uri === 'string' ? { 'mcp-name': formatHeaderValue(uri) } : {};
      return (await patient.send(message, { headers })).result;
    };
  }
  const { result: handshake } = await patient.entrance();
  if (!declaresTools(handshake)) return undefined;
  const { headers: given, result } = await patient.send(
    patient.introductions.buildInitialize(NEWEST_HANDSHAKE_REVISION.version, SHOWS_APPS),
  );
  if (result === undefined) return undefined;
  const headers = buildHeaders(given['mcp-session-id'], result['protocolVersion']);
  await patient.send(buildInitialized(headers));
  return async (method, params = {}) => (await patient.send(buildHandshaken(method, params, headers))).result;
}

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

function buildHeaders(id: unknown, version: unknown): { readonly [name: string]: string } {
  return {
    ...(isSendable(id) && { 'mcp-session-id': id }),
    ...(isSendable(version) && { 'mcp-protocol-version': version }),
  };
}

function isSendable(value: unknown): value is string {
  return typeof value === 'string' && VISIBLE_ASCII.test(value);
}

function declaresTools(result: JsonObject | undefined): boolean {
  return isObject(result?.['capabilities']) && isObject(result['capabilities']['tools']);
}
