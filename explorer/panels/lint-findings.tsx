import type { LintFinding, LintReport } from '../../lib/core/lint/lint-catalog.js';

/** The maximum number of displayed findings per rule, and of tool sizes. */
const MOST_SHOWN = 10;

/** The linter's findings in the lists, most severe first and grouped by rule, and the tool sizes. */
export function LintFindings({ report }: { readonly report: LintReport }) {
  const { findings, isWhole } = report;
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return (
    <section aria-labelledby="of-catalog">
      <h3 id="of-catalog">The catalog, as models and hosts see it</h3>
      {findings.length === 0 && <p class="hint">No rule found anything.</p>}
      {!isWhole && (
        <p class="hint">
          Only part of the catalog was checked: a list has more pages, or too many entries of one kind.
        </p>
      )}
      <ul class="findings">
        {rules.map((rule) => (
          <RuleFindings key={rule} rule={rule} findings={findings.filter((one) => one.rule === rule)} />
        ))}
      </ul>
      <Sizes report={report} />
    </section>
  );
}

interface RuleFindingsProps {
  readonly rule: string;
  readonly findings: readonly LintFinding[];
}

function RuleFindings({ rule, findings }: RuleFindingsProps) {
  const [first] = findings;
  if (first === undefined) return null;
  const { severity, fix } = first;
  return (
    <li class={severity}>
      <strong class="sign">{severity}</strong>{' '}
      <a href={`${findDocs()}lint.md#${rule}`} target="_blank" rel="noreferrer">
        {rule}
      </a>
      <ul>
        {findings.slice(0, MOST_SHOWN).map((finding, index) => (
          <li key={index}>{describe(finding)}</li>
        ))}
        {findings.length > MOST_SHOWN && <li>and {findings.length - MOST_SHOWN} more</li>}
      </ul>
      <p class="fix">{fix}</p>
    </li>
  );
}

function describe({ subject, path = '', found }: LintFinding): string {
  const who = subject === 'server' ? 'the server' : subject;
  return `${who} ${found}${path === '' ? '' : ` at ${path}`}`;
}

function Sizes({ report: { sizes, tokens } }: { readonly report: LintReport }) {
  if (sizes.length === 0) return null;
  return (
    <>
      <h4>Estimated tokens of tool definitions</h4>
      <table aria-label="Estimated tokens">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {sizes.slice(0, MOST_SHOWN).map(({ name, tokens: size }, index) => (
            <tr key={index}>
              <td>{name}</td>
              <td>{size ?? 'not known'}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">all {sizes.length}</th>
            <td>{tokens}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}

/** The documentation URL, which the build writes into the page. */
function findDocs(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="docs"]')?.content ?? '';
}
