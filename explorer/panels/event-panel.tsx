import type { PanelProps } from './panel.js';
import { ChoiceColumns } from './choice-columns.js';
import { EventView } from './event-view.js';

/** The event types, and the chosen one. */
export function EventPanel({ connection, chosen, open }: PanelProps) {
  const { events } = connection.offer;
  const entries = events.map(({ name, title, description }) => ({
    key: name,
    title,
    name,
    text: description,
  }));
  return (
    <ChoiceColumns
      invitation="Choose a type of events"
      groups={[{ label: 'events', entries, isListing: connection.isListing('events') }]}
      chosen={chosen}
      onChoose={(name) => open('events', name)}
      show={(name) => {
        const type = events.find((one) => one.name === name);
        return type && <EventView key={name} connection={connection} type={type} />;
      }}
    />
  );
}
