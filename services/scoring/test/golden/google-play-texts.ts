/** Long descriptions of the golden listings in which length matters. */
export const longTexts = {
  habits: `Steadily is a habit tracker that helps you to keep the promises that you make to yourself. Choose a habit, say how often, and check it off each day: the app counts your streak and shows your progress in a calendar and in simple charts.

Build a morning routine that lasts. Drink water, read, stretch, meditate, go for a run or learn a language: one tap is enough. A gentle reminder comes at the hour that you set, and never again once you are done.

What you find inside:
• Daily, weekly and monthly goals, with a break for holidays
• A home screen widget for every routine
• Journal notes beside each entry, so that you know what worked
• Statistics over a month, a year or all the time
• Motivation in small steps: badges for seven, thirty and a hundred days
• A focus timer for what takes longer
• Dark mode, backup, and export as a table

Your entries stay on your phone. There is no account, nothing is sold, and everything works without a connection. Whether you want to quit smoking, sleep better or just make your bed: set one goal, start with one small thing today, and let it grow.`,
  chat: `Chatloom keeps families, friends and teams in touch, on every phone and in every country. Send a message, a photo or a voice note; it arrives in a moment, and only the people you wrote to can read it, for everything is encrypted from end to end.

Call whoever you like, with or without video, alone or with up to thirty-two people. Calls cross borders without a charge for distance; only the data of your contract counts.

Make groups for the class, the choir or the club. Share documents, places and plans, hold a vote about the next meeting, and mute what can wait. Channels bring you news from those you follow, and nobody sees whom you follow.

Say it with a sticker when words are too much. Show a story that is gone tomorrow. Write on the desktop what you began on the phone: all your devices are in step, and a lost one is locked from any other.

Privacy is no setting here, it is how the thing is built. Lock a single conversation with your finger, let a message vanish by itself, and decide who may see when you were last online.`,
  stuffed: `VPN master is a fast VPN with a secure VPN server. This VPN is the VPN you need: VPN proxy, VPN unlimited, VPN for games, VPN for video. Turn the VPN on with one tap and the VPN does the rest. Our VPN proxy hides your address, and no other proxy is as fast as this proxy. Use the VPN at home, use the VPN at work, use the VPN when you travel. The VPN keeps no records. The best free VPN for everybody, a VPN for every phone, a VPN that stays on. Get the VPN now and see what a VPN can do.

Private browsing is simple: choose a country, tap, and you are there. More than sixty places are waiting, each with many machines, and the app picks the one that answers soonest. When a connection breaks, nothing leaks; the switch holds everything back until you are safe again. Public hotspots in cafes, trains and airports become as safe as your own living room. Families can share one contract on eight devices. Help comes from people who know the matter, at any hour of the day, in eleven languages, and usually within minutes.`,
} as const;
