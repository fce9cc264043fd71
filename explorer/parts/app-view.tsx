import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import { findApp } from './find-app.js';
import type { OpenApp } from './open-app.js';

export interface AppViewProps {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly given: Record<string, unknown>;
  readonly result: CallToolResult;
}

/** The app frames' permissions: scripts with an opaque origin. */
const SANDBOX = 'allow-scripts allow-forms';

/** The maximum number of displayed links that an app wants to open, newest last. */
const MOST_LINKS = 5;

/** Offers a tool's app. It runs only on request, because its page may contain third-party content. */
export function AppView(props: AppViewProps) {
  const { connection, tool, result } = props;
  const [shown, setShown] = useState<CallToolResult>();
  return (
    <section aria-label="App">
      <h3>App</h3>
      {shown === result ? (
        <AppFrame {...props} onClose={() => setShown(undefined)} />
      ) : (
        <>
          <p class="buttons">
            <button type="button" onClick={() => setShown(result)}>
              Show the app of {connection.server?.name}/{tool.name}
            </button>
          </p>
          <p class="hint">
            It is the page <code>{findApp(tool)}</code>. Its scripts see the result, and could send it to
            other servers.
          </p>
        </>
      )}
    </section>
  );
}

/** Runs an app with its tool's result. */
function AppFrame({
  connection,
  tool,
  given,
  result,
  onClose,
}: AppViewProps & { readonly onClose: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState('The app has not started yet.');
  const [links, setLinks] = useState<readonly string[]>([]);
  const [height, setHeight] = useState(300);
  /** The code that communicates with apps is loaded with the first app. */
  const open = async (target: HTMLIFrameElement | null): Promise<OpenApp | undefined> => {
    const { openApp } = await import('./open-app.js');
    if (target?.isConnected !== true) return undefined;
    return openApp(target, {
      connection,
      tool,
      given,
      result,
      onBegin: () => setState(''),
      onSize: (pixels) => setHeight(Math.min(Math.max(pixels, 50), 800)),
      onLink: (link) => setLinks((before) => [...before, link].slice(-MOST_LINKS)),
      onClose,
    });
  };
  useEffect(() => {
    const opening = open(frame.current);
    opening
      .then((app) => app?.ready)
      .catch((error: unknown) => setState(`The app cannot be displayed: ${connection.explain(error)}`));
    return () => void opening.then((app) => app?.close());
  }, [result]);
  return (
    <>
      <iframe ref={frame} title={`App of ${tool.title ?? tool.name}`} sandbox={SANDBOX} height={height} />
      <p role="status" class="hint">
        {state}
      </p>
      {links.map((link, index) => (
        <p key={index}>
          The app wants to open <code>{link}</code>{' '}
          <button type="button" onClick={() => window.open(link, '_blank', 'noopener,noreferrer')}>
            Open it
          </button>
        </p>
      ))}
      <p class="buttons">
        <button type="button" onClick={onClose}>
          Close the app
        </button>
      </p>
    </>
  );
}
