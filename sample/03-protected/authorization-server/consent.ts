import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { pageOfConsent, pageOfError } from './pages.js';
import { selectScopes } from './scopes.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

const LONGEST_FORM = 10_000;

/** The page between a client that asks and a user who allows: it logs the user in, and asks for consent. */
export class Consent {
  constructor(
    private readonly provider: Provider,
    private readonly resource: string,
    private readonly scopes: readonly string[],
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const interaction = await this.provider.interactionDetails(request, response);
      if (request.method === 'POST') await this.#decide(interaction, request, response);
      else await this.#show(interaction, response);
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      send(response, 400, pageOfError('This request has ended, or was begun in another browser'));
    }
  }

  async #show(interaction: Interaction, response: ServerResponse, complaint?: string): Promise<void> {
    const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params;
    const client = await this.provider.Client.find(String(clientId));
    const grant = await this.#findGrant(interaction);
    const page = pageOfConsent({
      action: `/consent/${interaction.uid}`,
      clientName: client?.clientName ?? String(clientId),
      resource: this.resource,
      returnsTo: nameDestination(String(redirectUri)),
      scopes: selectScopes(scope, this.scopes),
      held: new Set(grant?.getOIDCScope().split(' ')),
      account: interaction.session?.accountId,
      complaint,
    });
    send(response, complaint === undefined ? 200 : 400, page);
  }

  async #decide(interaction: Interaction, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    if (form.get('decision') !== 'allow') {
      const refusal = { error: 'access_denied', error_description: 'The user said no' };
      return this.provider.interactionFinished(request, response, refusal);
    }
    const accountId = interaction.session?.accountId ?? parseName(form.get('name'));
    if (accountId === undefined) {
      return this.#show(interaction, response, 'A name has 1 to 32 letters, digits and hyphens');
    }
    const grantId = await this.#allow(interaction, accountId);
    await this.provider.interactionFinished(request, response, {
      login: { accountId },
      consent: { grantId },
    });
  }

  /** Notes what the user allows, besides what this client was allowed before: so a step up keeps what there was. */
  async #allow(interaction: Interaction, accountId: string): Promise<string> {
    const clientId = String(interaction.params['client_id']);
    const grant = (await this.#findGrant(interaction)) ?? new this.provider.Grant({ accountId, clientId });
    const scopes = selectScopes(interaction.params['scope'], this.scopes);
    grant.addOIDCScope(scopes);
    grant.addResourceScope(this.resource, scopes);
    return grant.save();
  }

  async #findGrant({ grantId }: Interaction) {
    return grantId === undefined ? undefined : this.provider.Grant.find(grantId);
  }
}

/** Says where an answer goes; a scheme of the client's own has no origin. */
function nameDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return `${protocol}//${host}`;
}

/** A name stands for whoever types it: this is the place of a real login. */
function parseName(name: string | null): string | undefined {
  const account = name?.trim().toLowerCase().replaceAll(/\s+/g, '-') ?? '';
  return /^[\p{L}\d-]{1,32}$/u.test(account) ? account : undefined;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > LONGEST_FORM) break;
  }
  return new URLSearchParams(body.slice(0, LONGEST_FORM));
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    // No "form-action": browsers apply it to where the answer is redirected too, which is the client.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(page);
}
