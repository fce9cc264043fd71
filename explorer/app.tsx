import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageFacts } from '../lib/core/explorer/page-contract.js';
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
import type { Connection, Status } from './connection/connection.js';
import type { Offer } from './connection/offer.js';
import { useStore } from './connection/use-store.js';
import { CallDialog } from './parts/call-dialog.js';
import { ConnectionBar, ConnectionNotices } from './parts/connection-bar.js';
import { LoginPanel } from './parts/login-panel.js';
import { QuestionsElsewhere } from './parts/question-panel.js';

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
      <header>
        <ConnectionBar connection={connection} />
        <Navigation connection={connection} area={place.area} />
      </header>
      <main id="main" tabIndex={-1}>
        <ConnectionNotices connection={connection} />
        <LoginPanel connection={connection} issuers={facts.issuers} />
        <QuestionsElsewhere questions={connection.questions} />
        {isUsable || WITHOUT_CONNECTION.has(place.area) ? (
          <Area {...place} connection={connection} open={open} />
        ) : (
          connection.status !== 'login' && <p class="hint">{WAITING[connection.status]}</p>
        )}
      </main>
      <CallDialog questions={connection.questions} />
    </>
  );
}

/** What is shown instead of an area while there is no connection. */
const WAITING: Readonly<Partial<Record<Status, string>>> = {
  connecting: 'Connecting to the server…',
  failed: 'What the server offers is shown here once there is a connection.',
  closed: 'The connection is closed. “Connect again” opens another.',
};

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

/** The lists behind the number of an area. */
const LISTS: Readonly<Partial<Record<AreaName, readonly (keyof Offer)[]>>> = {
  tools: ['tools'],
  resources: ['resources', 'templates'],
  prompts: ['prompts'],
  events: ['events'],
  skills: ['skills'],
};

function Navigation({ connection, area }: { readonly connection: Connection; readonly area: AreaName }) {
  const current = useRef<HTMLAnchorElement>(null);
  // The numbers make it wider, and what the server declares adds to it.
  const isListing = connection.isListing();
  useEffect(
    () => current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [area, isListing, connection.status],
  );
  return (
    <nav aria-label="Areas">
      <ul>
        {AREAS.filter((one) => isThere(one, connection)).map((one) => (
          <li key={one}>
            <a
              href={`#${one}`}
              ref={one === area ? current : null}
              aria-current={one === area ? 'page' : undefined}
            >
              {TITLES[one]}
              <Count connection={connection} lists={LISTS[one]} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface CountProps {
  readonly connection: Connection;
  readonly lists: readonly (keyof Offer)[] | undefined;
}

/** How many entries an area has, once they are listed. */
function Count({ connection, lists }: CountProps) {
  const isKnown =
    connection.status === 'connected' && lists?.some((list) => connection.isListing(list)) === false;
  if (lists === undefined || !isKnown) return null;
  const count = lists.reduce((sum, list) => sum + connection.offer[list].length, 0);
  return <span class="count"> ({count})</span>;
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
