import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageFacts } from '../lib/core/explorer/page-contract.js';
import { PANELS, isThere, type PanelName, type PanelProps } from './panels/panel.js';
import { ConnectPanel } from './panels/connect-panel.js';
import { DoctorPanel } from './panels/doctor-panel.js';
import { EventPanel } from './panels/event-panel.js';
import { MessagePanel } from './panels/message-panel.js';
import { PromptPanel } from './panels/prompt-panel.js';
import { RequestPanel } from './panels/request-panel.js';
import { ResourcePanel } from './panels/resource-panel.js';
import { SkillPanel } from './panels/skill-panel.js';
import { TaskPanel } from './panels/task-panel.js';
import { ToolPanel } from './panels/tool-panel.js';
import type { Connection, Status } from './connection/connection.js';
import type { Offer } from './connection/offer.js';
import { useStore } from './connection/use-store.js';
import { CallDialog } from './parts/call-dialog.js';
import { ConnectionBar, ConnectionNotices } from './parts/connection-bar.js';
import { LoginPanel } from './parts/login-panel.js';
import { RemainingInputRequests } from './parts/input-request-panel.js';

/** The panels that are useful without a connection. */
const WITHOUT_CONNECTION: ReadonlySet<PanelName> = new Set(['doctor', 'connect']);

/** The page. The open panel is part of its URL, after the `#`. */
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
        Skip to the content
      </a>
      <header>
        <ConnectionBar connection={connection} />
        <Navigation connection={connection} panel={place.panel} />
      </header>
      <main id="main" tabIndex={-1}>
        <ConnectionNotices connection={connection} />
        <LoginPanel connection={connection} issuers={facts.issuers} />
        <RemainingInputRequests inputRequests={connection.inputRequests} />
        {isUsable || WITHOUT_CONNECTION.has(place.panel) ? (
          <Panel {...place} connection={connection} open={open} />
        ) : (
          connection.status !== 'login' && <p class="hint">{WAITING[connection.status]}</p>
        )}
      </main>
      <CallDialog inputRequests={connection.inputRequests} />
    </>
  );
}

/** The hints shown instead of a panel while there is no connection. */
const WAITING: Readonly<Partial<Record<Status, string>>> = {
  connecting: 'Connecting to the server…',
  failed: "The server's lists appear here once the page is connected.",
  closed: 'The connection is closed. “Connect again” opens a new one.',
};

interface PanelSelection {
  readonly panel: PanelName;
  readonly chosen: string | undefined;
}

function Panel({ panel, ...props }: PanelSelection & PanelProps) {
  if (!isThere(panel, props.connection))
    return <p class="hint">The server does not list any of these for you.</p>;
  switch (panel) {
    case 'tools':
      return <ToolPanel {...props} />;
    case 'resources':
      return <ResourcePanel {...props} />;
    case 'prompts':
      return <PromptPanel {...props} />;
    case 'tasks':
      return <TaskPanel {...props} />;
    case 'events':
      return <EventPanel {...props} />;
    case 'skills':
      return <SkillPanel {...props} />;
    case 'messages':
      return <MessagePanel {...props} />;
    case 'requests':
      return <RequestPanel {...props} />;
    case 'doctor':
      return <DoctorPanel {...props} />;
    case 'connect':
      return <ConnectPanel {...props} />;
  }
}

const TITLES: Readonly<Record<PanelName, string>> = {
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

/** The lists that a panel's number covers. */
const LISTS: Readonly<Partial<Record<PanelName, readonly (keyof Offer)[]>>> = {
  tools: ['tools'],
  resources: ['resources', 'templates'],
  prompts: ['prompts'],
  events: ['events'],
  skills: ['skills'],
};

function Navigation({ connection, panel }: { readonly connection: Connection; readonly panel: PanelName }) {
  const current = useRef<HTMLAnchorElement>(null);
  // The navigation grows wider with the numbers and the panels that the server declares.
  const isListing = connection.isListing();
  useEffect(
    () => current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [panel, isListing, connection.status],
  );
  return (
    <nav aria-label="Panels">
      <ul>
        {PANELS.filter((one) => isThere(one, connection)).map((one) => (
          <li key={one}>
            <a
              href={`#${one}`}
              ref={one === panel ? current : null}
              aria-current={one === panel ? 'page' : undefined}
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

/** The number of entries in a panel, once they are listed. */
function Count({ connection, lists }: CountProps) {
  const isKnown =
    connection.status === 'connected' && lists?.some((list) => connection.isListing(list)) === false;
  if (lists === undefined || !isKnown) return null;
  const count = lists.reduce((sum, list) => sum + connection.offer[list].length, 0);
  return <span class="count"> ({count})</span>;
}

/** Opens a panel through the address, so that the browser's back button works. */
function open(panel: PanelName, chosen?: string): void {
  location.hash = chosen === undefined ? panel : `${panel}/${encodeURIComponent(chosen)}`;
}

function readPlace(): PanelSelection {
  const [, name = '', chosen] = /^#?([a-z]*)(?:\/(.*))?$/.exec(location.hash) ?? [];
  const panel = PANELS.find((one) => one === name) ?? 'tools';
  return { panel, chosen: chosen === undefined ? undefined : decode(chosen) };
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
