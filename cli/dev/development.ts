import type { DevelopmentReport, OfferReport } from '../../lib/core/development/report.interface.js';
import { makeName } from '../visible-text.js';
import { CallLines } from './call-lines.js';
import { FailureTeller, findTakenPort } from './failure-teller.js';
import { formatChanges, formatEndpoint, formatEntries, formatUrl } from './format-offer.js';
import { KeptPort, type ListeningPlace } from './kept-port.js';
import type { ReportHearer, Reporter } from './report-server.js';

/** The ports of an application, each of which is kept while nobody of the application listens there. */
class KeptPorts {
  readonly #ports = new Map<string, KeptPort>();

  /** Whether a port is kept at the moment, at any address. */
  keeps(port: number): boolean {
    return [...this.#ports].some(([key, { isKept }]) => isKept && key.endsWith(` ${port}`));
  }

  keep(place: ListeningPlace): void {
    const key = keyOf(place);
    const port = this.#ports.get(key) ?? new KeptPort();
    this.#ports.set(key, port);
    port.keep(place);
  }

  /** Lets all ports go. */
  async release(): Promise<void> {
    await Promise.all([...this.#ports.values()].map((port) => port.release()));
  }

  /** Ends the streams that waited for the application to listen at a place. */
  handOver(place: ListeningPlace): void {
    this.#ports.get(keyOf(place))?.handOver();
  }

  /** Ends all streams that waited. */
  handOverAll(): void {
    for (const port of this.#ports.values()) port.handOver();
  }

  close(): void {
    for (const port of this.#ports.values()) port.close();
  }
}

function keyOf({ host, port }: ListeningPlace): string {
  return `${host} ${port}`;
}

/** Where what is known of an application goes. */
export interface DevelopmentPlace {
  /** The folder of the application. */
  readonly root: string;
  readonly print: (lines: readonly string[]) => void;
  /** Opens the page of a server. */
  readonly open: (url: string) => void;
}

/** What a process of the application has said of itself. */
interface Run {
  /** What its servers offer, by their keys. */
  readonly offers: Map<string, OfferReport>;
  readonly places: ListeningPlace[];
}

/** An application that is being worked on, over all of its restarts. */
export class Development implements ReportHearer {
  readonly #runs = new Map<Reporter, Run>();
  /** What servers offered last, by their keys. */
  readonly #known = new Map<string, OfferReport>();
  readonly #ports = new KeptPorts();
  readonly #calls: CallLines;
  readonly #failures: FailureTeller;
  /** The port that was given up last, until a server listens again. */
  #freedPort: number | undefined;
  #isOver = false;
  #isPageOpened = false;

  constructor(private readonly place: DevelopmentPlace) {
    this.#calls = new CallLines((line) => place.print([line]));
    this.#failures = new FailureTeller(place.root, place.print);
  }

  /** Whether any process of the application has ever reported. */
  get isKnown(): boolean {
    return this.#known.size > 0 || this.#runs.size > 0;
  }

  readonly onBegin = async (reporter: Reporter): Promise<void> => {
    this.#failures.flush();
    this.#runs.set(reporter, { offers: new Map(), places: [] });
    await this.#ports.release();
  };

  readonly onReport = (report: DevelopmentReport, reporter: Reporter): void => {
    switch (report.type) {
      case 'offer':
        return this.#takeOffer(report, reporter);
      case 'call':
        return this.#calls.add(report);
      case 'failure':
        return this.#failures.tell(report, reporter);
      case 'loss':
        return this.#calls.addLost(report.calls);
    }
  };

  readonly onEnd = (reporter: Reporter): void => {
    const { places = [] } = this.#runs.get(reporter) ?? {};
    this.#runs.delete(reporter);
    if (this.#isOver) return;
    for (const place of places) if (!this.#isListening(place)) this.#ports.keep(place);
  };

  /** Reads a line that the application has printed. */
  readonly onLine = (line: string): void => {
    const taken = findTakenPort(line);
    if (taken !== undefined && this.#ports.keeps(taken)) return this.#giveUpPort(taken);
    // An application may print the same error twice.
    if (taken !== undefined && taken === this.#freedPort) return;
    const isUp = [...this.#runs.values()].some(({ offers }) => offers.size > 0);
    if (!isUp) this.#failures.read(line);
  };

  /** The application is about to end: nobody waits for it any more. */
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

  /** What listens there now may be no server of this package, which would have said so before. */
  #giveUpPort(port: number): void {
    this.#freedPort = port;
    void this.#ports.release();
    // Clients that waited for the application must connect again.
    this.#ports.handOverAll();
    this.place.print([
      `Port ${port} was kept for the server that listened there, and is free now: start the application again`,
    ]);
  }

  #takeOffer(offer: OfferReport, reporter: Reporter): void {
    const run = this.#runs.get(reporter);
    if (run === undefined) return;
    this.#freedPort = undefined;
    this.#takePlace(offer, run);
    const isOfRestart = !run.offers.has(offer.server);
    const isAlone = this.#runs.size === 1;
    const before = this.#known.get(offer.server);
    run.offers.set(offer.server, offer);
    this.#known.set(offer.server, offer);
    if (before === undefined) this.place.print(this.#describe(offer));
    else this.#tellChanges(before, offer, isOfRestart && isAlone);
    this.#openPage(offer);
  }

  #describe({ server, endpoint, entries }: OfferReport): readonly string[] {
    return ['', ...formatEndpoint(server, endpoint), ...formatEntries(entries), ''];
  }

  #tellChanges(before: OfferReport, now: OfferReport, isTold: boolean): void {
    const changes = formatChanges(before.entries, now.entries);
    const places = [before, now].map(({ server, endpoint }) => formatEndpoint(server, endpoint).join('\n'));
    const moves = places[0] === places[1] ? [] : formatEndpoint(now.server, now.endpoint);
    const name = now.server === 'default' ? 'The server' : `Server "${makeName(now.server)}"`;
    if (changes.length > 0) this.place.print([...moves, `${name} offers something else now:`, ...changes]);
    else if (moves.length > 0) this.place.print(moves);
    else if (isTold) this.place.print([`${name} is back, and offers the same`]);
  }

  #takePlace({ endpoint }: OfferReport, { places }: Run): void {
    if (endpoint?.host === undefined || endpoint.port === undefined) return;
    const place = { host: endpoint.host, port: endpoint.port };
    this.#ports.handOver(place);
    // Over TLS nobody but the application can answer.
    if (!endpoint.isSecure && !places.some((one) => isSame(one, place))) places.push(place);
  }

  #isListening(place: ListeningPlace): boolean {
    return [...this.#runs.values()].some(({ places }) => places.some((one) => isSame(one, place)));
  }

  #openPage({ endpoint }: OfferReport): void {
    if (this.#isPageOpened || endpoint?.port === undefined || !endpoint.hasExplorer) return;
    this.#isPageOpened = true;
    this.place.open(formatUrl(endpoint, endpoint.path));
  }
}

function isSame(one: ListeningPlace, other: ListeningPlace): boolean {
  return one.host === other.host && one.port === other.port;
}
