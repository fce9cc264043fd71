import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Relay } from '../relay/relay.js';
import { SharedChanges } from './shared-changes.js';

/** Has changes of the catalogue made in all processes: what a catalogue is made with is there before the options of its server. */
@Injectable()
export class SharedChangesOpening implements OnModuleInit {
  constructor(
    private readonly changes: SharedChanges,
    private readonly relay: Relay,
  ) {}

  onModuleInit(): void {
    this.changes.open(this.relay);
  }
}
