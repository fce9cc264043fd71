import { type Check, count, failure, listFirst, ok, type Outcome, quote, warning } from '../finding.js';
import { buildHandshaken, buildInitialized, buildSessionHeaders } from '../probe/messages.js';
import { listPages, type PageResponse } from '../probe/requester.js';
import type { Target } from '../target.js';
import {
  APP_MIME_TYPE,
  type AppCsp,
  APPS_EXTENSION_ID,
  FLAT_RESOURCE_URI_KEY,
  isAppMimeType,
  isAppUri,
  UI_META_KEY,
  VISIBILITIES,
} from '../../protocol/apps/app-meta.js';
import { findSourceProblem } from '../../protocol/apps/csp-source.js';
import { findAppProblems, formatAppProblem } from '../../protocol/apps/find-app-problems.js';
import { decodeBase64 } from '../../protocol/base64.js';
import { formatHeaderValue } from '../../protocol/headers/header-value.js';
import { isObject, type JsonObject } from '../../protocol/json-rpc.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../protocol/revisions.js';

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
  const problems = findings.filter(({ isError }) => isError);
  const listed = (problems.length > 0 ? problems : findings).map(({ text }) => quote(text));
  const found = `Some apps will not display as intended: ${listFirst(listed)}`;
  const fix = 'Change what the tool or its app declares, or what the page loads';
  return problems.length > 0 ? failure(found, fix) : warning(found, fix);
}

/** Problems with the list itself are reported by the check that examines the list. */
async function listAll(ask: SendRequest, method: string, member: string): Promise<readonly JsonObject[]> {
  const { entries = [] } = await listPages((params) => ask(method, params), method, member);
  return entries.filter(isObject);
}

/**
 * Determines how to send requests to a server that declares tools: without initialization, or in a session whose
 * initialization declares app support.
 */
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

/** Something that prevents a host from showing an app as intended. */
export interface AppFinding {
  readonly text: string;
  /** Whether it certainly does. */
  readonly isError: boolean;
}

/** A tool's app, as declared in the list. */
export interface CheckedTool {
  readonly isOfApp: boolean;
  /** Its app's URI. */
  readonly uri?: string;
  readonly findings: readonly AppFinding[];
}

/** Evaluates a tool's declaration of its app. */
export function judgeTool({ name, _meta }: JsonObject): CheckedTool {
  const meta = isObject(_meta) ? _meta : {};
  const { [UI_META_KEY]: ui, [FLAT_RESOURCE_URI_KEY]: flat } = meta;
  if (!isObject(ui) && flat === undefined) return { isOfApp: false, findings: [] };
  const { resourceUri, visibility, csp, permissions } = isObject(ui) ? ui : {};
  const say = (text: string, isError = false): AppFinding => ({ text: `${String(name)}: ${text}`, isError });
  const uri = resourceUri ?? flat;
  const findings: AppFinding[] = [];
  if (uri !== undefined && (typeof uri !== 'string' || !isAppUri(uri))) {
    findings.push(say('its app URI does not start with ui://', true));
  }
  if (resourceUri !== undefined && flat !== undefined && resourceUri !== flat) {
    findings.push(
      say(`_meta.ui.resourceUri and _meta["${FLAT_RESOURCE_URI_KEY}"] name different apps`, true),
    );
  } else if (resourceUri === undefined && flat !== undefined) {
    findings.push(say('_meta.ui.resourceUri, which hosts read, is missing'));
  } else if (resourceUri !== undefined && flat === undefined) {
    findings.push(say(`_meta["${FLAT_RESOURCE_URI_KEY}"], which older hosts read, is missing`));
  }
  if (visibility !== undefined && !isVisibility(visibility)) {
    findings.push(say('its visibility is not a list of "model" and "app"', true));
  }
  if (csp !== undefined || permissions !== undefined) {
    findings.push(say('csp and permissions belong to the app: hosts ignore them on a tool'));
  }
  return { isOfApp: true, ...(typeof uri === 'string' && { uri }), findings };
}

/** Evaluates an app's page as read, together with its declaration in the list. */
export function judgePage(
  uri: string,
  result: JsonObject | undefined,
  listed: JsonObject | undefined,
): readonly AppFinding[] {
  const say = (text: string, isError = true): AppFinding => ({ text: `${uri} ${text}`, isError });
  const [contents] = Array.isArray(result?.['contents']) ? (result['contents'] as unknown[]) : [];
  if (!isObject(contents)) return [say('cannot be read')];
  const { mimeType, text, blob } = contents;
  if (!isAppMimeType(mimeType))
    return [
      say(`has the media type ${String(mimeType)} instead of "${APP_MIME_TYPE}"`, isPlainHtml(mimeType)),
    ];
  const html = typeof text === 'string' ? text : decode(blob);
  if (html === undefined || !/<[a-z!]/i.test(html)) return [say('is not HTML')];
  const meta = findMeta(contents) ?? findMeta(listed) ?? {};
  const csp = isObject(meta['csp']) ? meta['csp'] : {};
  const broken = findBrokenSources(csp);
  const permissions = isObject(meta['permissions']) ? meta['permissions'] : {};
  const problems = findAppProblems(html, { csp: selectSources(csp), permissions });
  return [
    ...broken.map((found) => say(found)),
    ...problems.map((found) => say(formatAppProblem(found), found.isCertain)),
  ];
}

/** Other kinds of pages concern only the hosts that show them. */
function isPlainHtml(mimeType: unknown): boolean {
  return typeof mimeType !== 'string' || /^text\/html\b/i.test(mimeType);
}

function findMeta(holder: JsonObject | undefined): JsonObject | undefined {
  const meta = holder?.['_meta'];
  const ui = isObject(meta) ? meta[UI_META_KEY] : undefined;
  return isObject(ui) ? ui : undefined;
}

const SCHEMES = ['https', 'http', 'wss', 'ws'];
const MEMBERS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

function findBrokenSources(csp: JsonObject): readonly string[] {
  return MEMBERS.flatMap((member) => {
    const sources = csp[member];
    if (sources === undefined) return [];
    if (!Array.isArray(sources)) return [`has a "${member}" that is not a list`];
    return sources.flatMap((source) => {
      const found = findSourceProblem(source, SCHEMES);
      return found === undefined ? [] : [`has ${JSON.stringify(source)} in "${member}", which ${found}`];
    });
  });
}

function selectSources(csp: JsonObject): AppCsp {
  return Object.fromEntries(
    MEMBERS.map((member) => {
      const sources: readonly unknown[] = Array.isArray(csp[member]) ? csp[member] : [];
      return [member, sources.filter((source) => typeof source === 'string')];
    }),
  );
}

function isVisibility(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => VISIBILITIES.includes(one as never))
  );
}

function decode(blob: unknown): string | undefined {
  if (typeof blob !== 'string') return undefined;
  try {
    return new TextDecoder().decode(decodeBase64(blob));
  } catch {
    return undefined;
  }
}
