import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { Logger } from '../../core/logger/logger.js';
import { HmacSha256, isSameSecret } from '../../core/sealing/hmac-sha256.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import { quoteAll } from '../../core/words/words.js';
import type { Engine } from '../engine/engine.js';
import { findOnlyResource, OFFLINE_ACCESS } from '../engine/engine-configuration.js';
import { SealedAdapter } from '../engine/sealed-adapter.js';
import type { EventReporter, ReportedEvent } from '../event-reporter.js';
import { reportFailure } from '../report-failure.js';
import type { AuthorizationServerSettings } from '../settings/authorization-server-options.js';
import type { UpstreamUser } from '../settings/upstream-options.js';
import type { SealedRecords } from '../storage/sealed-records.js';
import { UpstreamError, type LoginSecrets, type UpstreamClient } from '../upstream/upstream-client.js';
import type { UpstreamTokenStore } from '../upstream/upstream-tokens.js';
import { BrowserCookie, LoginError, parseTarget, readForm, redirect, sendPage } from './browser.js';
import { renderConsentPage, renderErrorPage } from './pages.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A login that continues at the provider. */
interface PendingLogin extends LoginSecrets {
  /** The interaction it belongs to. */
  readonly uid: string;
  /** The browser in which it started. */
  readonly browser: string;
}

/** The parts needed for a login. */
export interface LoginParts {
  readonly engine: Engine;
  readonly settings: AuthorizationServerSettings;
  readonly records: SealedRecords;
  readonly keyring: Keyring;
  readonly upstream: UpstreamClient;
  readonly tokens: UpstreamTokenStore;
  readonly events: EventReporter;
}

const LOGIN_SECONDS = 600;
const OTHER_BROWSER = 'This login has expired or was started in a different browser.';

/**
 * Takes the user from a client's request to the decision: our consent page, the login at the provider, and the
 * callback. Consent comes before the login, so a client can never use a login at the provider without the user having
 * seen its name.
 */
export class LoginHandler {
  readonly #logger = new Logger('McpAuthorizationServer');
  readonly #cookie: BrowserCookie;
  /** One for each secret; the first one signs. */
  readonly #formKeys: readonly HmacSha256[];

  constructor(private readonly parts: LoginParts) {
    this.#cookie = new BrowserCookie(parts.settings);
    this.#formKeys = parts.keyring.derive('authorization-server forms').map((key) => new HmacSha256(key));
  }

  /** Responds to a request below the issuer's path. Returns whether the path belongs to a login. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname, searchParams } = parseTarget(request);
    const [, first, uid, step] = pathname.split('/');
    const isCallback = first === 'callback' && uid === undefined;
    const isInteraction = first === 'interaction' && uid !== undefined;
    if (!isCallback && !isInteraction) return false;
    try {
      if (isCallback) await this.#receive(searchParams, request, response);
      else if (step === 'finish') await this.#finish(request, response);
      else if (request.method === 'POST') await this.#decide(request, response);
      else await this.#show(request, response);
    } catch (error) {
      this.#reportFailure(error, isCallback || step === 'finish' ? 'login' : 'login_begun', request);
      this.#fail(error, response);
    }
    return true;
  }

  async #show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { settings } = this.parts;
    const interaction = await this.#findInteraction(request, response);
    const { params, session, uid } = interaction;
    const client = await this.#findClient(interaction);
    const resource = findResource(interaction, settings);
    const user = session?.accountId === undefined ? undefined : await this.#findUser(session.accountId);
    const page = renderConsentPage(settings.consent, {
      action: `${settings.path}/interaction/${uid}`,
      formToken: this.#sign(uid),
      clientName: formatName(client.clientName ?? client.clientId),
      verifiedHost: URL.canParse(client.clientId) ? new URL(client.clientId).host : undefined,
      destination: formatDestination(String(params['redirect_uri'])),
      resource,
      scopes: listScopes(interaction, settings).map(
        (scope) => settings.resources[resource]?.[scope] ?? scope,
      ),
      isOffline: client.grantTypeAllowed('refresh_token'),
      provider: settings.upstream.name,
      user: user && nameUser(user),
    });
    sendPage(response, 200, page);
  }

  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const interaction = await this.#findInteraction(request, response);
    const form = await readForm(request);
    this.#assertOwnForm(request, form.get('form_token'), interaction.uid);
    const decision = form.get('decision');
    const isAllowed = decision === 'allow' || decision === 'other-account';
    this.#report(request, interaction, {
      type: 'consent',
      outcome: isAllowed ? 'ok' : 'refused',
      action: isAllowed ? 'accept' : 'decline',
    });
    if (!isAllowed) return this.#refuse(request, response, 'The user denied the request');
    const { accountId } = interaction.session ?? {};
    const needsLogin = interaction.prompt.name === 'login' || accountId === undefined;
    if (decision === 'other-account' || needsLogin) {
      const prompt = decision === 'other-account' ? 'select_account' : findPrompt(interaction);
      return this.#sendUpstream(interaction, prompt, request, response);
    }
    const user = await this.#findUser(accountId);
    if (user === undefined) return this.#sendUpstream(interaction, undefined, request, response);
    await this.#grant(user, interaction, request, response);
  }

  async #sendUpstream(
    interaction: Interaction,
    prompt: string | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { upstream, records } = this.parts;
    const secrets = upstream.createSecrets();
    const url = await upstream.buildLoginUrl(secrets, prompt);
    const browser = this.#cookie.read(request) ?? this.#cookie.create(response);
    const { uid } = interaction;
    await records.write('Login', secrets.state, { ...secrets, uid, browser }, LOGIN_SECONDS);
    this.#report(request, interaction, { type: 'login_begun', outcome: 'ok' });
    redirect(response, url);
  }

  /** Handles the callback from the provider. A different browser cannot complete a login, and no login can be completed twice. */
  async #receive(
    parameters: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { records, tokens, settings } = this.parts;
    const state = parameters.get('state') ?? '';
    const browser = this.#cookie.read(request);
    if (browser === undefined) throw new LoginError(OTHER_BROWSER);
    const known = (await records.read('Login', state)) as PendingLogin | undefined;
    if (known?.browser !== browser) throw new LoginError(OTHER_BROWSER);
    if ((await records.take('Login', state)) === undefined) throw new LoginError(OTHER_BROWSER);
    const result = await this.#complete(parameters, known);
    if (result === undefined) {
      await records.write('LoginResult', known.uid, { isDenied: true }, LOGIN_SECONDS);
    } else {
      const { user } = result;
      await records.write('LoginResult', known.uid, { user }, LOGIN_SECONDS);
      await tokens.store(user.subject, result.tokens);
    }
    redirect(response, `${settings.path}/interaction/${known.uid}/finish`);
  }

  /** Returns `undefined` if the user denied the login at the provider. */
  async #complete(parameters: URLSearchParams, login: PendingLogin) {
    try {
      return await this.parts.upstream.complete(parameters, login);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.#logger.warn(error.message);
      if (parameters.get('error') === 'access_denied') return undefined;
      throw new LoginError('The identity provider did not complete the login.', 502, { cause: error });
    }
  }

  async #finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const interaction = await this.#findInteraction(request, response);
    const result = await this.parts.records.take('LoginResult', interaction.uid);
    if (result === undefined) throw new LoginError(OTHER_BROWSER);
    if (result['isDenied'] === true) {
      this.#report(request, interaction, { type: 'login', outcome: 'refused', reason: 'access_denied' });
      return this.#refuse(request, response, 'The user denied the login');
    }
    await this.#grant(result['user'] as UpstreamUser, interaction, request, response);
  }

  /** Grants the requested scopes that the user may grant, and sends the browser back to the client. */
  async #grant(
    user: UpstreamUser,
    interaction: Interaction,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { engine, settings, records } = this.parts;
    const accountId = user.subject;
    const refuse = (reason: string, found: string) => {
      this.#logger.warn(
        `The user ${JSON.stringify(accountId)} could not log in: "grantScopes" returned ${found}`,
      );
      const event = { type: 'login', outcome: 'refused', reason: 'access_denied' } as const;
      this.#report(request, interaction, { ...event, subject: accountId });
      return this.#refuse(request, response, reason);
    };
    const allowed = new Set(await settings.grantScopes(user));
    if (allowed.size === 0) return refuse('The user may not use this server', 'no scope');
    await records.write('User', accountId, { ...user }, settings.refreshTokenSeconds);
    await this.#leaveOtherAccount(interaction, accountId);
    const client = await this.#findClient(interaction);
    const grant = await this.#openGrant(interaction, accountId, client.clientId);
    const resource = findResource(interaction, settings);
    const requested = listScopes(interaction, settings);
    const granted = requested.filter((scope) => allowed.has(scope));
    if (requested.length > 0 && granted.length === 0)
      return refuse(
        'The user may not grant these scopes',
        `none of the requested scopes ${quoteAll(requested)}`,
      );
    grant.addOIDCScope(`openid ${OFFLINE_ACCESS}`);
    // What was rejected earlier can be granted now.
    delete grant.rejected;
    grant.addResourceScope(resource, granted.join(' '));
    const rejected = requested.filter((scope) => !allowed.has(scope));
    if (rejected.length > 0) grant.rejectResourceScope(resource, rejected.join(' '));
    const grantId = await grant.save();
    await this.#remember(grantId, String(interaction.params['redirect_uri']));
    await SealedAdapter.extend(records, client.clientId, settings.refreshTokenSeconds);
    this.#report(request, interaction, { type: 'login', outcome: 'ok', subject: accountId });
    await engine.provider.interactionFinished(request, response, {
      login: { accountId },
      consent: { grantId },
    });
  }

  async #openGrant({ grantId, session }: Interaction, accountId: string, clientId: string) {
    const { Grant } = this.parts.engine.provider;
    const present =
      grantId === undefined || session?.accountId !== accountId ? undefined : await Grant.find(grantId);
    return present ?? new Grant({ accountId, clientId });
  }

  async #remember(grantId: string, redirectUri: string): Promise<void> {
    const { records, settings } = this.parts;
    const consent = await records.read('Consent', grantId);
    const known = Array.isArray(consent?.['redirectUris']) ? (consent['redirectUris'] as string[]) : [];
    const redirectUris = [...new Set([...known, redirectUri])];
    await records.write('Consent', grantId, { redirectUris }, settings.refreshTokenSeconds);
  }

  /** Otherwise the engine would show its own page, asking whether to log out of the previous account. */
  async #leaveOtherAccount(interaction: Interaction, accountId: string): Promise<void> {
    const { session } = interaction;
    if (session?.accountId === undefined || session.accountId === accountId) return;
    const { Session } = this.parts.engine.provider;
    await (await Session.findByUid(session.uid))?.destroy();
    delete interaction.session;
    await interaction.save(LOGIN_SECONDS);
  }

  async #refuse(request: IncomingMessage, response: ServerResponse, reason: string): Promise<void> {
    const refusal = { error: 'access_denied', error_description: reason };
    await this.parts.engine.provider.interactionFinished(request, response, refusal);
  }

  #report(request: IncomingMessage, interaction: Interaction, event: ReportedEvent): void {
    const { params, session } = interaction;
    this.parts.events.report(request, {
      subject: session?.accountId,
      clientId: String(params['client_id']),
      resource: findResource(interaction, this.parts.settings),
      ...event,
    });
  }

  /** The interaction is unknown at the callback: its cookie is not sent there. */
  #reportFailure(error: unknown, type: 'login' | 'login_begun', request: IncomingMessage): void {
    const isRefusal = error instanceof LoginError && error.status < 500;
    this.parts.events.report(request, {
      type,
      outcome: isRefusal ? 'refused' : 'error',
      reason: nameFailure(error),
    });
  }

  async #findInteraction(request: IncomingMessage, response: ServerResponse): Promise<Interaction> {
    const [, , uid] = parseTarget(request).pathname.split('/');
    try {
      const interaction = await this.parts.engine.provider.interactionDetails(request, response);
      if (interaction.uid !== uid) throw new LoginError(OTHER_BROWSER);
      return interaction;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) throw new LoginError(OTHER_BROWSER);
      throw error;
    }
  }

  async #findUser(accountId: string): Promise<UpstreamUser | undefined> {
    return (await this.parts.records.read('User', accountId)) as UpstreamUser | undefined;
  }

  async #findClient({ params }: Interaction) {
    const client = await this.parts.engine.provider.Client.find(String(params['client_id']));
    if (client === undefined) throw new LoginError('The program is no longer registered.');
    return client;
  }

  #sign(uid: string): string {
    return this.#formKeys[0]?.sign(uid) ?? '';
  }

  /** Browsers do not send the interaction cookie from other sites; one that does anyway is rejected here. */
  #assertOwnForm({ headers }: IncomingMessage, token: string | null, uid: string): void {
    const { origin } = new URL(this.parts.settings.issuer);
    const isOwnOrigin =
      headers.origin === undefined || headers.origin === origin || headers.origin === 'null';
    const isOwnSite = [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site']);
    const isSigned = this.#formKeys.some((key) =>
      isSameSecret(Buffer.from(key.sign(uid)), Buffer.from(token ?? '')),
    );
    if (!isOwnOrigin || !isOwnSite || !isSigned)
      throw new LoginError('The form was not submitted from this page.', 403);
  }

  #fail(error: unknown, response: ServerResponse): void {
    const { consent } = this.parts.settings;
    if (response.headersSent) return void response.destroy();
    if (error instanceof LoginError)
      return sendPage(response, error.status, renderErrorPage(consent, error.message));
    if (error instanceof UpstreamError) {
      this.#logger.warn(error.message);
      return sendPage(response, 502, renderErrorPage(consent, 'The identity provider is unavailable.'));
    }
    reportFailure(error);
    sendPage(response, 500, renderErrorPage(consent, 'The login failed.'));
  }
}

/** Browsers carry the provider's error code, so it can contain anything. */
const ERROR_CODE = /^[\w.-]{1,64}$/;

function nameFailure(error: unknown): string {
  const cause = error instanceof LoginError ? (error.cause ?? error) : error;
  if (cause instanceof LoginError)
    return cause.message === OTHER_BROWSER ? 'other_browser' : 'invalid_request';
  if (!(cause instanceof UpstreamError)) return 'server_error';
  return ERROR_CODE.test(cause.code ?? '') ? `provider_failed: ${cause.code}` : 'provider_failed';
}

function findResource({ params }: Interaction, settings: AuthorizationServerSettings): string {
  const { resource } = params;
  return typeof resource === 'string' ? resource : findOnlyResource(settings);
}

/** The requested scopes that the resource supports. */
function listScopes(interaction: Interaction, settings: AuthorizationServerSettings): readonly string[] {
  const known = settings.resources[findResource(interaction, settings)] ?? {};
  const { scope } = interaction.params;
  const requested = typeof scope === 'string' ? scope.split(' ') : [];
  return requested.filter((one) => Object.hasOwn(known, one));
}

const MAXIMUM_NAME = 80;

/** A name must not hide what follows it, so it is truncated to one line, without characters that change the text direction. */
function formatName(name: string): string {
  const visible = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(visible);
  return characters.length > MAXIMUM_NAME ? `${characters.slice(0, MAXIMUM_NAME).join('')}…` : visible;
}

/** An app's custom scheme has no host to show. */
function formatDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return `${protocol}//${host}`;
}

function findPrompt({ params }: Interaction): string | undefined {
  const given = params['prompt'];
  const prompts = typeof given === 'string' ? given.split(' ') : [];
  return ['login', 'select_account'].find((prompt) => prompts.includes(prompt));
}

function nameUser({ claims, subject }: UpstreamUser): string {
  const found = ['email', 'preferred_username', 'login', 'name'].map((name) => claims[name]);
  return found.find((value) => typeof value === 'string') ?? subject;
}
