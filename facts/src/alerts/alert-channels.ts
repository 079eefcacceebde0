/**
 * Where alerts are sent. A webhook is signed; the body of `slack` is that of Slack's incoming webhooks, which Discord takes, too;
 * `email` is a mail to an address whose owner has confirmed it.
 */
export const channelTypes = ['webhook', 'slack', 'email'] as const;
export type ChannelType = (typeof channelTypes)[number];

/** When alerts are sent: those of an hour together, or each as soon as it is found. */
export const channelTimings = ['hourly', 'instant'] as const;
export type ChannelTiming = (typeof channelTimings)[number];

/**
 * Why a channel is off: its account has turned it off, the receiver has answered 410 Gone (a mail server: there is no such
 * address), nothing succeeded for days, the address is not confirmed yet, or its reader has unsubscribed.
 */
export const channelOffReasons = ['account', 'gone', 'no_success', 'unconfirmed', 'unsubscribed'] as const;
export type ChannelOffReason = (typeof channelOffReasons)[number];

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The most channels of an account. */
export const maxAlertChannels = 20;
/** In characters. */
export const maxChannelNameLength = 60;
export const maxChannelUrlLength = 2000;
/** Of one delivery. */
export const maxDeliveryAlerts = 100;
/** Tests and repeated deliveries of an account in an hour. */
export const maxManualDeliveries = 10;
/** Mails that ask to confirm an address: those of an account in an hour, and those of all accounts to one mailbox on a UTC day. */
export const maxConfirmationMails = { ofAccount: 5, toAddress: 3 };
/** How long the link in such a mail can be used. */
export const confirmationHours = 24;
/** How long deliveries are shown. */
export const deliveryDays = 30;
/** How long the secret before a rotation signs, too. */
export const oldSecretHours = 24;
/** The secrets of a channel that sign at the same time. */
export const maxSigningSecrets = 5;
