import { formatAuthorization, readDemand } from '../../../lib/client/authorization/authorization-headers.js';
import type { RequestProof } from '../../../lib/client/authorization/index.js';
import type { ProbeRequest, ProbeResponse, ProbeWire } from '../../../lib/core/doctor/probe/probe-wire.js';
import type { DoctorOptions } from '../doctor-options.js';
import { sendProbe } from './http-probe.js';

/** Sends the doctor's requests from Node, which, unlike a browser, can send any header and read the whole response. */
export function createNodeWire({
  token = '',
  proof,
  publicUrl,
  timeoutMs: usualMs,
}: Pick<DoctorOptions, 'token' | 'proof' | 'publicUrl' | 'timeoutMs'>): ProbeWire {
  return {
    send: (url, probe) => sendProbe(url, probe, probe.timeoutMs ?? usualMs),
    sendAuthorized: (url, probe) =>
      sendAuthorized(url, probe, {
        token,
        proof,
        provenUrl: publicUrl ?? url,
        timeoutMs: probe.timeoutMs ?? usualMs,
      }),
  };
}

/** A request's credentials. */
interface ProbeCredentials {
  readonly token: string;
  /** Absent if the token is not bound to a key. */
  readonly proof?: RequestProof | undefined;
  /** The URL that proofs name, which is the public URL. */
  readonly provenUrl: URL;
  readonly timeoutMs: number;
}

/** Sends a request with a token, and with a proof if the token is bound to a key. Retries once if the server requires a new proof. */
async function sendAuthorized(
  url: URL,
  probe: ProbeRequest,
  credentials: ProbeCredentials,
): Promise<ProbeResponse> {
  const { token, proof, provenUrl, timeoutMs } = credentials;
  if (proof === undefined) {
    const headers = { authorization: formatAuthorization(token), ...probe.headers };
    return sendProbe(url, { ...probe, headers }, timeoutMs);
  }
  const proven = { token, proof, provenUrl, timeoutMs };
  const answer = await sendProven(url, probe, proven);
  return wantsProof(url, answer) ? sendProven(url, probe, proven) : answer;
}

async function sendProven(
  url: URL,
  probe: ProbeRequest,
  { token, proof, provenUrl, timeoutMs }: ProbeCredentials & { readonly proof: RequestProof },
): Promise<ProbeResponse> {
  const proven = await proof.buildHeaders({ method: probe.method, url: provenUrl.href, token });
  const answer = await sendProbe(url, { ...probe, headers: { ...proven, ...probe.headers } }, timeoutMs);
  proof.heedAnswer(provenUrl.href, readHeaders(answer, 'dpop-nonce'));
  return answer;
}

function wantsProof(url: URL, answer: ProbeResponse): boolean {
  const { status } = answer;
  if (status !== 401 && status !== 403) return false;
  const response = new Response(null, { status, headers: readHeaders(answer, 'www-authenticate') });
  return readDemand({ serverUrl: url.href, response, token: undefined }).kind === 'proof';
}

function readHeaders({ headers }: ProbeResponse, name: string): Headers {
  const value = headers[name];
  return new Headers(value === undefined ? {} : { [name]: value });
}
