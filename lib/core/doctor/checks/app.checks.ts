import { APPS_EXTENSION_ID, APP_MIME_TYPE } from '../../protocol/apps/app-meta.js';
import { formatHeaderValue } from '../../protocol/headers/header-value.js';
import { isObject } from '../../protocol/json-rpc.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../protocol/revisions.js';
import type { JsonObject } from '../../protocol/parse-json-object.js';
import type { Check } from '../check.interface.js';
import { count, listFirst, quote } from '../quote.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { buildHandshaken, buildInitialized, buildSessionHeaders } from '../probe/messages.js';
import { listPages, type PageResponse } from '../probe/list-pages.js';
import { judgePage, judgeTool, type AppFinding } from './app-judgement.js';

/** Whether hosts can show the apps that tools name. */
export const APP_CHECKS: readonly Check[] = [{ id: 'apps', run: checkApps }];

/** The number of apps that are examined. */
const MOST_APPS = 20;

/** The capabilities of a host that shows apps. */
const SHOWS_APPS = { extensions: { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] } } };

/** Sends a request as a host does. */
type SendRequest = (method: string, params?: JsonObject) => Promise<PageResponse>;

async function checkApps(target: Target): Promise<Outcome | undefined> {
  const ask = await selectAsking(target);
  if (ask === undefined) return undefined;
  const tools = await listAll(ask, 'tools/list', 'tools');
  const judged = tools.map((tool) => judgeTool(tool));
  const uris = [...new Set(judged.flatMap(({ uri }) => (uri === undefined ? [] : [uri])))];
  if (judged.every(({ isOfApp }) => !isOfApp)) return undefined;
  const resources = uris.length === 0 ? [] : await listAll(ask, 'resources/list', 'resources');
  const findings = judged.flatMap((one) => one.findings);
  for (const uri of uris.slice(0, MOST_APPS)) {
    const listed = resources.find((resource) => resource['uri'] === uri);
    findings.push(...judgePage(uri, (await ask('resources/read', { uri })).result, listed));
  }
  return conclude(findings, uris.length);
}

function conclude(findings: readonly AppFinding[], apps: number): Outcome {
  if (findings.length === 0) return ok(`Hosts can show ${count(apps, 'app')}`);
  const faults = findings.filter(({ isError }) => isError);
  const listed = (faults.length > 0 ? faults : findings).map(({ text }) => quote(text));
  const found = `Hosts do not show every app as intended: ${listFirst(listed)}`;
  const fix = 'Change what the tool or its app declares, or what the page loads';
  return faults.length > 0 ? failure(found, fix) : warning(found, fix);
}

/** Problems of the list itself are reported by the check that examines that list. */
async function listAll(ask: SendRequest, method: string, member: string): Promise<readonly JsonObject[]> {
  const { entries = [] } = await listPages((params) => ask(method, params), method, member);
  return entries.filter(isObject);
}

/** Selects how to send requests to a server that declares tools: without a handshake, or in a session whose handshake declares support for apps. */
async function selectAsking(target: Target): Promise<SendRequest | undefined> {
  const { result: discovery } = await target.discovery();
  if (declaresTools(discovery)) {
    return (method, params) => {
      const message = target.introductions.buildPerRequest(method, params, SHOWS_APPS);
      const uri = params?.['uri'];
      const headers = typeof uri === 'string' ? { 'mcp-name': formatHeaderValue(uri) } : {};
      return target.send(message, { headers });
    };
  }
  const { result: handshake } = await target.initialize();
  if (!declaresTools(handshake)) return undefined;
  const { headers: given, result } = await target.send(
    target.introductions.buildInitialize(NEWEST_HANDSHAKE_REVISION.version, SHOWS_APPS),
  );
  if (result === undefined) return undefined;
  const headers = buildSessionHeaders(given['mcp-session-id'], result['protocolVersion']);
  await target.send(buildInitialized(headers));
  return (method, params = {}) => target.send(buildHandshaken(method, params, headers));
}

function declaresTools(result: JsonObject | undefined): boolean {
  return isObject(result?.['capabilities']) && isObject(result['capabilities']['tools']);
}
