/** What the page knows of its server before it asks: the server writes it into the page. */
export interface PageFacts {
  /** The authorization servers that tokens are from. */
  readonly issuers: readonly string[];
  /** Whether the server asks for a token: a fixed one if no authorization server gives it. */
  readonly asksForToken: boolean;
  /** Whether the page is for the machine alone that the server runs on. */
  readonly isOfThisMachine: boolean;
  /** The version of the package, which is that of the page as a client. */
  readonly version: string;
}

/** What a caller needs: nothing, a login, or a fixed token that somebody gives out. */
export type Access = 'open' | 'login' | 'token';

/** The id of the element of the page that holds the facts, as JSON. */
export const FACTS_ID = 'facts';

/** The query of the frame in which the page shows an app. */
export const APP_FRAME_QUERY = '?explorer=app';

/** What the page sends into the frame: the page of the app, under a name that no app uses. */
export interface AppPageMessage {
  readonly explorer: 'app';
  readonly html: string;
}
