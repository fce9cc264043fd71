/**
 * The messages between processes, by their names. Two versions of this package may run side by side: what changes in a body
 * takes another name.
 */
export class Topic<Body> {
  declare readonly body: Body;

  constructor(
    readonly name: string,
    /** Tells whether this release understands a message. Others are ignored. */
    readonly isBody: (body: object) => boolean = () => true,
  ) {}
}

/** What one process asks another. */
export class Query<Body, Reply> {
  declare readonly body: Body;
  declare readonly reply: Reply;

  constructor(readonly name: string) {}
}
