import type { DevelopmentReport, OfferReport } from '../../lib/core/development/report.js';
import { makeName } from '../visible-text.js';
import { CallLines } from './call-lines.js';
import { FailurePrinter, findTakenPort, type Reporter } from './failure-printer.js';
import { formatChanges, formatEndpoint, formatEntries, formatUrl } from './format-offer.js';
import { PlaceholderServer, type ListenAddress } from './placeholder-server.js';

/** An application's ports. A placeholder server listens on each of them while the application does not. */
class PlaceholderServers {
  readonly #ports = new Map<string, PlaceholderServer>();

  /** Returns whether a placeholder server listens on a port, at any address. */
  isListeningOn(port: number): boolean {
    return [...this.#ports].some(([key, { isListening }]) => isListening && key.endsWith(` ${port}`));
  }

  /** Starts a placeholder server at an address of the application. */
  listen(address: ListenAddress): void {
    const key = keyOf(address);
    const port = this.#ports.get(key) ?? new PlaceholderServer();
    this.#ports.set(key, port);
    port.listen(address);
  }

  /** Releases all ports. */
  async release(): Promise<void> {
    await Promise.all([...this.#ports.values()].map((port) => port.release()));
  }

  /** Ends the streams that waited for the application to listen at an address. */
  endStreams(address: ListenAddress): void {
    this.#ports.get(keyOf(address))?.endStreams();
  }

  /** Ends all streams that waited for the application. */
  endAllStreams(): void {
    for (const port of this.#ports.values()) port.endStreams();
  }

  close(): void {
    for (const port of this.#ports.values()) port.close();
  }
}

function keyOf({ host, port }: ListenAddress): string {
  return `${host} ${port}`;
}

/** The command's output. */
export interface DevelopmentOutput {
  /** The application's folder. */
  readonly root: string;
  readonly print: (lines: readonly string[]) => void;
  /** Opens a server's explorer. */
  readonly open: (url: string) => void;
}

/** The data that one of the application's processes has reported. */
interface Run {
  /** Its servers' capabilities, keyed by server. */
  readonly offers: Map<string, OfferReport>;
  readonly addresses: ListenAddress[];
}

/** An application's state in development, across its restarts. */
export class Development {
  readonly #runs = new Map<Reporter, Run>();
  /** The capabilities that servers reported last, keyed by server. */
  readonly #known = new Map<string, OfferReport>();
  readonly #ports = new PlaceholderServers();
  readonly #calls: CallLines;
  readonly #failures: FailurePrinter;
  /** The port that was released last, until a server listens again. */
  #freedPort: number | undefined;
  #isOver = false;
  #isPageOpened = false;

  constructor(private readonly output: DevelopmentOutput) {
    this.#calls = new CallLines((line) => output.print([line]));
    this.#failures = new FailurePrinter(output.root, output.print);
  }

  /** Whether any of the application's processes has ever reported. */
  get isKnown(): boolean {
    return this.#known.size > 0 || this.#runs.size > 0;
  }

  /** Called when a process starts to report. The process receives a response when the promise resolves. */
  readonly onBegin = async (reporter: Reporter): Promise<void> => {
    this.#failures.flush();
    this.#runs.set(reporter, { offers: new Map(), addresses: [] });
    await this.#ports.release();
  };

  readonly onReport = (report: DevelopmentReport, reporter: Reporter): void => {
    switch (report.type) {
      case 'offer':
        return this.#recordOffer(report, reporter);
      case 'call':
        return this.#calls.add(report);
      case 'failure':
        return this.#failures.print(report, reporter);
      case 'loss':
        return this.#calls.addLost(report.calls);
    }
  };

  readonly onEnd = (reporter: Reporter): void => {
    const { addresses = [] } = this.#runs.get(reporter) ?? {};
    this.#runs.delete(reporter);
    if (this.#isOver) return;
    for (const address of addresses) if (!this.#isListening(address)) this.#ports.listen(address);
  };

  /** Reads a line that the application has printed. */
  readonly onLine = (line: string): void => {
    const taken = findTakenPort(line);
    if (taken !== undefined && this.#ports.isListeningOn(taken)) return this.#releasePort(taken);
    // An application may print the same error twice.
    if (taken !== undefined && taken === this.#freedPort) return;
    const isUp = [...this.#runs.values()].some(({ offers }) => offers.size > 0);
    if (!isUp) this.#failures.read(line);
  };

  /** Stops waiting for the application, which is about to exit. */
  end(): void {
    this.#isOver = true;
    this.#ports.close();
  }

  /** Prints the pending lines. */
  close(): void {
    this.end();
    this.#failures.flush();
    this.#calls.close();
  }

  /** The new listener may not be a server built with this package: that would have sent a report before it listened. */
  #releasePort(port: number): void {
    this.#freedPort = port;
    void this.#ports.release();
    // Clients that waited for the application must connect again.
    this.#ports.endAllStreams();
    this.output.print([
      `Port ${port} was reserved for the server that listened on it, and is free now: start the application again`,
    ]);
  }

  #recordOffer(offer: OfferReport, reporter: Reporter): void {
    const run = this.#runs.get(reporter);
    if (run === undefined) return;
    this.#freedPort = undefined;
    this.#recordAddress(offer, run);
    const isOfRestart = !run.offers.has(offer.server);
    const isAlone = this.#runs.size === 1;
    const before = this.#known.get(offer.server);
    run.offers.set(offer.server, offer);
    this.#known.set(offer.server, offer);
    if (before === undefined) this.output.print(this.#describe(offer));
    else this.#printChanges(before, offer, isOfRestart && isAlone);
    this.#openPage(offer);
  }

  #describe({ server, endpoint, entries }: OfferReport): readonly string[] {
    return ['', ...formatEndpoint(server, endpoint), ...formatEntries(entries), ''];
  }

  #printChanges(before: OfferReport, now: OfferReport, isRestart: boolean): void {
    const changes = formatChanges(before.entries, now.entries);
    const addresses = [before, now].map(({ server, endpoint }) =>
      formatEndpoint(server, endpoint).join('\n'),
    );
    const location = addresses[0] === addresses[1] ? [] : formatEndpoint(now.server, now.endpoint);
    const name = now.server === 'default' ? 'The server' : `Server "${makeName(now.server)}"`;
    if (changes.length > 0) this.output.print([...location, `${name} has changed:`, ...changes]);
    else if (location.length > 0) this.output.print(location);
    else if (isRestart) this.output.print([`${name} has restarted without changes`]);
  }

  #recordAddress({ endpoint }: OfferReport, { addresses }: Run): void {
    if (endpoint?.host === undefined || endpoint.port === undefined) return;
    const address = { host: endpoint.host, port: endpoint.port };
    this.#ports.endStreams(address);
    // Only the application has the certificate that TLS requires.
    if (!endpoint.isSecure && !addresses.some((one) => isSame(one, address))) addresses.push(address);
  }

  #isListening(address: ListenAddress): boolean {
    return [...this.#runs.values()].some(({ addresses }) => addresses.some((one) => isSame(one, address)));
  }

  #openPage({ endpoint }: OfferReport): void {
    if (this.#isPageOpened || endpoint?.port === undefined || !endpoint.hasExplorer) return;
    this.#isPageOpened = true;
    this.output.open(formatUrl(endpoint, endpoint.path));
  }
}

function isSame(one: ListenAddress, other: ListenAddress): boolean {
  return one.host === other.host && one.port === other.port;
}
