import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';
import type { LintFinding, LintReport } from '../../lib/core/lint/lint-catalog.js';
import { formatCommand } from '../commands.js';
import type { Connection } from '../connection/connection.js';
import { checkConnection } from '../examination/check-connection.js';
import { readAccess, readFacts } from '../facts.js';
import { CodeToCopy } from '../parts/code-to-copy.js';
import { formatCount } from '../parts/format-amount.js';
import type { PanelProps } from './panel.js';
import { LintFindings } from './lint-findings.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

/** The worst comes first. */
const ORDER: readonly FindingStatus[] = ['error', 'warning', 'skipped', 'ok'];

interface FindingListProps {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** What checks found, in the words of the command line. */
function FindingList({ id, title, findings }: FindingListProps) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul class="findings">
        {ORDER.flatMap((status) => findings.filter((one) => one.status === status)).map((finding) => (
          <li key={finding.id} class={finding.status}>
            <strong class="sign">{finding.status}</strong> <code>{finding.id}</code> {finding.found}
            {finding.fix !== '' && <p class="fix">{finding.fix}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says at the top how many findings of each status there are; what needs nobody comes last. */
function FindingSummary({ statuses }: { readonly statuses: readonly FindingStatus[] }) {
  const counts = ORDER.map((status) => [status, statuses.filter((one) => one === status).length] as const);
  return (
    <p role="status" class="summary" aria-label="Summary">
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <span key={status} class={`sign ${status}`}>
            {status === 'error' || status === 'warning' ? formatCount(count, status) : `${count} ${status}`}
          </span>
        ))}
    </p>
  );
}

/** What somebody who examines the server finds, as far as that can be seen from a browser. */
export function DoctorPanel({ connection }: PanelProps) {
  const request = useRequest<Examination>(connection);
  const { outcome } = request;
  const { endpoint, server } = connection;
  const target = { url: endpoint.href, name: server?.name ?? '', access: readAccess() };
  return (
    <section aria-labelledby="doctor">
      <h2 id="doctor">Doctor</h2>
      <p class="hint">Checks the server as clients see it, and what models are told of its catalog.</p>
      <p class="buttons">
        <button
          type="button"
          class="main"
          disabled={outcome.state === 'running'}
          onClick={() => void request.send((signal) => examine(connection, signal))}
        >
          Examine the server
        </button>
      </p>
      <OutcomeLine outcome={outcome} />
      {outcome.state === 'done' && (
        <>
          <FindingSummary statuses={listStatuses(outcome.result)} />
          <div class="reports">
            <div>
              <FindingList id="of-server" title="The server" findings={outcome.result.ofServer} />
              <FindingList
                id="of-connection"
                title="The connection of this page"
                findings={outcome.result.ofConnection}
              />
            </div>
            {outcome.result.report && <LintFindings report={outcome.result.report} />}
          </div>
        </>
      )}
      <h3>From outside of a browser</h3>
      <p class="prose">
        A browser cannot claim to be another page or to come from another host, and hides how connections are
        made. The doctor of the command line also looks at foreign origins and hosts, CORS, certificates and
        the bytes of skills:
      </p>
      <CodeToCopy text={formatCommand('doctor', target)} label="Copy the command of the doctor" />
      <p class="prose">What is above about the catalog, with rules of your own:</p>
      <CodeToCopy text={formatCommand('lint', target)} label="Copy the command of the lint" />
    </section>
  );
}

/** Milliseconds that each answer may take, as on the command line. */
const LONGEST_ANSWER_MS = 10_000;

interface Examination {
  readonly ofServer: readonly Finding[];
  readonly ofConnection: readonly Finding[];
  /** Absent without a connection, since nothing is listed then. */
  readonly report: LintReport | undefined;
}

/** The status of the doctor for each severity of the linter; advice counts as none. */
const STATUSES: Readonly<Record<LintFinding['severity'], FindingStatus | undefined>> = {
  error: 'error',
  warning: 'warning',
  advice: undefined,
};

function listStatuses({ ofServer, ofConnection, report }: Examination): readonly FindingStatus[] {
  const ofCatalog = report?.findings.flatMap(({ severity }) => STATUSES[severity] ?? []) ?? [];
  return [...[...ofServer, ...ofConnection].map(({ status }) => status), ...ofCatalog];
}

async function examine(connection: Connection, signal: AbortSignal): Promise<Examination> {
  const { client, endpoint, login } = connection;
  const { issuers, version } = readFacts();
  // Most visitors never ask for it, and the page starts sooner without its code.
  const [{ examineServer }, { lintCatalog }] = await Promise.all([
    import('../examination/examine-server.js'),
    import('../../lib/core/lint/lint-catalog.js'),
  ]);
  const surroundings = { endpoint, issuers, login, timeoutMs: LONGEST_ANSWER_MS };
  const { templates: resourceTemplates, tools, prompts, resources } = connection.offer;
  const instructions = client?.getInstructions();
  return {
    ofServer: await examineServer(surroundings, version, signal),
    ofConnection: checkConnection(connection),
    report: client && lintCatalog({ instructions, tools, prompts, resources, resourceTemplates }),
  };
}
