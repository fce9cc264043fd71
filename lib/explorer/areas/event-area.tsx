import type { AreaProps } from './area.js';
import { ChoiceColumns } from './choice-columns.js';
import { EventView } from './event-view.js';

/** The types of events, and the one that is chosen. */
export function EventArea({ connection, chosen, open }: AreaProps) {
  return (
    <ChoiceColumns
      label="events"
      invitation="Choose a type of events"
      items={connection.offer.events}
      describe={({ name, title, description }) => ({ key: name, title, text: description })}
      chosen={chosen}
      onChoose={(name) => open('events', name)}
      show={(type) => <EventView key={type.name} connection={connection} type={type} />}
    />
  );
}
