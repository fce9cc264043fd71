import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { formatFault } from './webhooks/format-fault.js';
import type { WebhookStatus } from './webhooks/webhook-delivery.interface.js';

/** Reports the state of deliveries to a caller. The report is empty if nothing was sent yet. */
export function describeStatus(status: WebhookStatus | undefined): OpenObject {
  if (status === undefined) return {};
  const { isActive, lastDeliveryAt, lastError, failedSince } = status;
  if (isActive && lastDeliveryAt === undefined && lastError === undefined) return {};
  return {
    deliveryStatus: {
      active: isActive,
      ...(lastDeliveryAt !== undefined && { lastDeliveryAt: formatTime(lastDeliveryAt) }),
      lastError: lastError === undefined ? null : formatFault(lastError),
      ...(failedSince !== undefined && { failedSince: formatTime(failedSince) }),
    },
  };
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
