/** Where the pages of the host are. No name server knows them: the browser is given what is there. */
export const HOST_ORIGIN = 'https://host.nestjs-mcp.test';
export const SANDBOX_ORIGIN = 'https://sandbox.nestjs-mcp.test';
export const VIEW_ORIGIN = 'https://view.nestjs-mcp.test';

/** What a host of apps lets frames do. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/**
 * The host's own page: it passes messages between the bridge, which is outside of the browser, and the frame.
 *
 * @see SEP-1865, "Sandbox proxy"
 */
export const HOST_PAGE = `<!doctype html>
<title>Host</title>
<style>
  html, body, iframe { border: 0; height: 100%; margin: 0; width: 100%; }
</style>
<script>
  const inbox = [];
  let wake;
  addEventListener('message', ({ source, data }) => {
    if (source !== document.querySelector('iframe')?.contentWindow) return;
    inbox.push(data);
    wake?.();
  });
  window.takeMessages = async () => {
    if (inbox.length === 0) await new Promise((resolve) => { wake = resolve; });
    return inbox.splice(0);
  };
  window.sendMessage = (message) => {
    document.querySelector('iframe').contentWindow.postMessage(message, '${SANDBOX_ORIGIN}');
  };
</script>
<iframe src="${SANDBOX_ORIGIN}/" sandbox="${SANDBOX}" allow="camera *; microphone *; geolocation *; clipboard-write *"></iframe>
`;

/** The sandbox between the host and the app, of another origin: it shows the app in a frame of its own. */
export const SANDBOX_PAGE = `<!doctype html>
<title>Sandbox</title>
<style>
  html, body, iframe { border: 0; height: 100%; margin: 0; width: 100%; }
</style>
<script>
  let view;
  const features = { camera: 'camera', microphone: 'microphone', geolocation: 'geolocation', clipboardWrite: 'clipboard-write' };
  const show = ({ sandbox = '${SANDBOX}', permissions = {} }) => {
    view = document.createElement('iframe');
    view.setAttribute('sandbox', sandbox);
    view.setAttribute('allow', Object.keys(permissions).map((name) => features[name]).join('; '));
    view.src = '${VIEW_ORIGIN}/';
    document.body.append(view);
  };
  addEventListener('message', ({ source, data }) => {
    if (source === parent) {
      if (data.method === 'ui/notifications/sandbox-resource-ready') show(data.params);
      else view?.contentWindow.postMessage(data, '${VIEW_ORIGIN}');
    } else if (source === view?.contentWindow) {
      parent.postMessage(data, '${HOST_ORIGIN}');
    }
  });
  addEventListener('DOMContentLoaded', () => {
    const method = 'ui/notifications/sandbox-proxy-ready';
    parent.postMessage({ jsonrpc: '2.0', method, params: {} }, '${HOST_ORIGIN}');
  });
</script>
<body></body>
`;
