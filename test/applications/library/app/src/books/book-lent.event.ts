export class BookLentEvent {
  constructor(
    readonly id: number,
    readonly reader: string,
  ) {}
}
