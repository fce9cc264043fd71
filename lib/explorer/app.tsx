import { useEffect, useState } from 'preact/hooks';
import type { PageFacts } from '../core/explorer/page-contract.js';
import { AREAS, isThere, type AreaName, type AreaProps } from './areas/area.js';
import { ConnectArea } from './areas/connect-area.js';
import { DoctorArea } from './areas/doctor-area.js';
import { EventArea } from './areas/event-area.js';
import { MessageArea } from './areas/message-area.js';
import { PromptArea } from './areas/prompt-area.js';
import { RequestArea } from './areas/request-area.js';
import { ResourceArea } from './areas/resource-area.js';
import { SkillArea } from './areas/skill-area.js';
import { TaskArea } from './areas/task-area.js';
import { ToolArea } from './areas/tool-area.js';
import type { Connection } from './connection/connection.js';
import { useStore } from './connection/store.js';
import { ConnectionBar } from './parts/connection-bar.js';
import { LoginPanel } from './parts/login-panel.js';
import { QuestionDialog } from './parts/question-dialog.js';

/** The areas that help somebody who has no connection. */
const WITHOUT_CONNECTION: ReadonlySet<AreaName> = new Set(['doctor', 'connect']);

/** The page. What is open stands in its address, behind the `#`. */
export function App({ connection, facts }: { readonly connection: Connection; readonly facts: PageFacts }) {
  useStore(connection);
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const follow = () => setPlace(readPlace());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const { server } = connection;
  useEffect(() => {
    document.title = server === undefined ? 'MCP explorer' : `${server.title ?? server.name}: MCP explorer`;
  }, [server]);
  const isUsable = connection.status === 'connected';
  return (
    <>
      <a class="skip" href={location.hash === '' ? '#tools' : location.hash} onClick={focusMain}>
        Skip to what is open
      </a>
      <ConnectionBar connection={connection} />
      <LoginPanel connection={connection} issuers={facts.issuers} />
      <Navigation connection={connection} area={place.area} />
      <main id="main" tabIndex={-1}>
        {isUsable || WITHOUT_CONNECTION.has(place.area) ? (
          <Area {...place} connection={connection} open={open} />
        ) : (
          <p class="hint">What the server offers is shown here once there is a connection.</p>
        )}
      </main>
      <QuestionDialog questions={connection.questions} />
    </>
  );
}

interface Place {
  readonly area: AreaName;
  readonly chosen: string | undefined;
}

function Area({ area, ...props }: Place & AreaProps) {
  if (!isThere(area, props.connection)) return <p class="hint">The server has none of this for you.</p>;
  switch (area) {
    case 'tools':
      return <ToolArea {...props} />;
    case 'resources':
      return <ResourceArea {...props} />;
    case 'prompts':
      return <PromptArea {...props} />;
    case 'tasks':
      return <TaskArea {...props} />;
    case 'events':
      return <EventArea {...props} />;
    case 'skills':
      return <SkillArea {...props} />;
    case 'messages':
      return <MessageArea {...props} />;
    case 'requests':
      return <RequestArea {...props} />;
    case 'doctor':
      return <DoctorArea {...props} />;
    case 'connect':
      return <ConnectArea {...props} />;
  }
}

const TITLES: Readonly<Record<AreaName, string>> = {
  tools: 'Tools',
  resources: 'Resources',
  prompts: 'Prompts',
  tasks: 'Tasks',
  events: 'Events',
  skills: 'Skills',
  messages: 'Messages',
  requests: 'Requests',
  doctor: 'Doctor',
  connect: 'Add to a client',
};

function Navigation({ connection, area }: { readonly connection: Connection; readonly area: AreaName }) {
  const { tools, resources, templates, prompts, events, skills } = connection.offer;
  const counts: Partial<Record<AreaName, number>> = {
    tools: tools.length,
    resources: resources.length + templates.length,
    prompts: prompts.length,
    events: events.length,
    skills: skills.length,
  };
  return (
    <nav aria-label="Areas">
      <ul>
        {AREAS.filter((one) => isThere(one, connection)).map((one) => (
          <li key={one}>
            <a href={`#${one}`} aria-current={one === area ? 'page' : undefined}>
              {TITLES[one]}
              {counts[one] !== undefined && ` (${counts[one]})`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Opens an area by the address, so that the browser's way back leads here. */
function open(area: AreaName, chosen?: string): void {
  location.hash = chosen === undefined ? area : `${area}/${encodeURIComponent(chosen)}`;
}

function readPlace(): Place {
  const [, name = '', chosen] = /^#?([a-z]*)(?:\/(.*))?$/.exec(location.hash) ?? [];
  const area = AREAS.find((one) => one === name) ?? 'tools';
  return { area, chosen: chosen === undefined ? undefined : decode(chosen) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
