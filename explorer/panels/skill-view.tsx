import { useState } from 'preact/hooks';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { PATIENCE_MS, type Connection } from '../connection/connection.js';
import { readFile, type SkillEntry, type SkillFile } from '../connection/skills.js';
import { ResourceView, type Contents } from '../parts/content.js';
import { EntryView } from '../parts/entry-view.js';
import { Disclosure } from '../parts/disclosure.js';
import { JsonView } from '../parts/json-view.js';
import { RawMessages } from '../parts/raw-messages.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

export interface SkillViewProps {
  readonly connection: Connection;
  readonly skill: SkillEntry;
}

/** One skill: its description and its files. */
export function SkillView({ connection, skill }: SkillViewProps) {
  const [most, setMost] = useState(MOST_SHOWN);
  const reading = useRequest<ReadResourceResult>(connection);
  const looking = useRequest<readonly SkillFile[]>(connection);
  const found = looking.outcome.state === 'done' ? looking.outcome.result : [];
  const files = skill.files ?? [{ uri: skill.uri, size: undefined }, ...found];
  const shown = files.slice(0, most);
  const read = (uri: string) =>
    reading.send((signal) => connection.getClient().readResource({ uri }, { signal, timeout: PATIENCE_MS }));
  return (
    <EntryView
      id="skill"
      title={skill.name}
      description={skill.description}
      outcome={
        <>
          <OutcomeLine outcome={reading.outcome} idle="The file appears here." />
          {reading.outcome.state === 'done' &&
            reading.outcome.result.contents.map((contents, index) => (
              <ResourceView key={index} contents={contents as Contents} />
            ))}
          <RawMessages exchange={reading.findExchange('resources/read')} />
        </>
      }
    >
      <h3>Files</h3>
      {skill.files === undefined && (
        <>
          <p class="hint">They are generated for each caller, so the server does not list them.</p>
          <button
            type="button"
            onClick={() => void looking.send((signal) => look(connection, skill, signal))}
          >
            List its folder
          </button>
          <OutcomeLine outcome={looking.outcome} />
        </>
      )}
      <ul class="entries" aria-label="files">
        {shown.map(({ uri, size }) => (
          <li key={uri}>
            <button type="button" onClick={() => void read(uri)}>
              <strong>{shorten(uri, skill.uri)}</strong>
              {size !== undefined && <span class="hint">{size} bytes</span>}
            </button>
          </li>
        ))}
      </ul>
      {files.length > shown.length && (
        <button type="button" onClick={() => setMost(most + MOST_SHOWN)}>
          Show more files
        </button>
      )}
      <Disclosure title="Frontmatter">
        {() => <JsonView label="Frontmatter" value={skill.frontmatter} />}
      </Disclosure>
    </EntryView>
  );
}

const MOST_SHOWN = 100;

/** A skill's folder contains its `SKILL.md`. */
function findFolder(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

function shorten(uri: string, skill: string): string {
  const folder = findFolder(skill);
  return uri.startsWith(folder) && uri !== folder ? uri.slice(folder.length) : uri;
}

/** @see MCP extension skills (SEP-2640), "resources/directory/read" */
async function look(
  connection: Connection,
  { uri }: SkillEntry,
  signal: AbortSignal,
): Promise<readonly SkillFile[]> {
  const params = { uri: findFolder(uri).replace(/\/$/, '') };
  const result = await connection.request({ method: 'resources/directory/read', params }, signal);
  const listed = isObject(result) ? result['resources'] : undefined;
  if (!Array.isArray(listed)) return [];
  return listed
    .filter(isObject)
    .flatMap(readFile)
    .filter((file) => file.uri !== uri);
}
