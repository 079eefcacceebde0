/** Longer searches around a topic, by its noun, the most searched first: searches of people with a specific purpose. */
export const germanTopicSearches: Readonly<Record<string, string>> = {
  'budget planner':
    'haushaltsbuch für paare, haushaltsbuch familie, haushaltsbuch mit fixkosten, haushaltsbuch sparziele, haushaltsbuch mit foto, haushaltsbuch studenten, haushaltsplan monat, budgetplaner umschläge',
  'expense tracker':
    'ausgaben tracker gruppe, ausgaben tracker reise, ausgaben tracker quittung, geld manager familie',
  'bill reminder': 'abos verwalten kündigen, fixkosten übersicht, rechnungen erinnerung kalender',
  'savings tracker': 'geld sparen challenge, geld sparen urlaub, sparziele für paare, geld sparen umschläge',
  'stock tracker':
    'aktien für anfänger, aktien dividende, aktien depot, börse nachrichten, depot übersicht krypto',
  'invoice maker':
    'rechnung schreiben kleinunternehmer, rechnung schreiben pdf, rechnung schreiben angebot, rechnungsprogramm handwerker',
  'time tracker':
    'zeiterfassung mitarbeiter, zeiterfassung überstunden, zeiterfassung projekt, schichtplan kalender, arbeitszeit pause',
  'resume builder':
    'lebenslauf erstellen pdf, lebenslauf erstellen vorlagen, bewerbung schreiben ki, jobsuche in der nähe',
  'photo editor':
    'bildbearbeitung hintergrund entfernen, bildbearbeitung collage, bildbearbeitung filter, bildbearbeitung mit text, fotobearbeitung collage, fotobearbeitung ki, fotobearbeitung retusche, fotobearbeitung filter, bilder bearbeiten mit schrift',
  'collage maker':
    'collage erstellen mit musik, collage erstellen rahmen, collage erstellen geburtstag, fotocollage vorlagen',
  'camera app': 'kamera filter vintage, analog kamera datum, selfie kamera make-up',
  'video editor':
    'video bearbeiten mit musik, video bearbeiten text, video schneiden zusammenfügen, video bearbeiten zeitlupe, video bearbeiten untertitel',
  'drawing app':
    'zeichnen für kinder, zeichnen lernen anime, zeichnen animation, malen app mit stift, zeichnen lernen anfänger',
  'wallpaper app':
    'hintergrundbilder anime, hintergrundbilder 4k, hintergrundbilder sperrbildschirm, widgets foto, hintergrundbilder dunkel',
  'habit tracker':
    'gewohnheiten tracker, gewohnheiten mit erinnerung, gewohnheiten kalender, gewohnheiten ziele, gewohnheiten adhs, habit tracker kalender, habit tracker stimmung, tagesroutine kinder, tagesroutine adhs',
  'to do list':
    'to do liste mit erinnerung, to do liste familie, to do liste geteilt, to do liste kalender, to do liste adhs, aufgaben haushalt, checkliste reise',
  'daily planner':
    'kalender familie, kalender geteilt, kalender mit feiertagen, kalender mit erinnerung, kalender schichtplan, kalender geburtstage, kalender aufgaben, terminplaner kunden, wochenplaner schule, wochenplaner essen',
  'focus timer':
    'fokus timer lernen, fokus timer adhs, pomodoro lernen, bildschirmzeit kinder, lern timer mit freunden',
  'notes app':
    'notizen mit stift, notizen mit passwort, notizen sprachaufnahme, notizen pdf, notizen to do liste, notizbuch handschrift',
  'document scanner':
    'pdf scanner unterschrift, pdf scanner texterkennung, dokumentenscanner quittungen, scanner app fotos',
  'password manager':
    'passwort manager familie, passwort manager offline, authenticator sicherung, app sperre fotos',
  calculator:
    'taschenrechner wissenschaftlich, taschenrechner brüche, taschenrechner prozent, taschenrechner verlauf, einheiten umrechnen küche',
  VPN: 'vpn schnell, vpn streaming, vpn werbeblocker, vpn sicher, vpn browser, vpn reise',
  'workout app':
    'fitness app für frauen, fitness app zu hause, fitness app abnehmen, fitness app für anfänger, fitness app krafttraining, fitness app ernährung, trainingsplan muskelaufbau, trainingsplan gym, krafttraining zu hause, workout zu hause ohne geräte',
  'step counter':
    'schrittzähler abnehmen, schrittzähler mit freunden, schrittzähler kalorien, schrittzähler karte',
  'running tracker':
    'lauf app anfänger, lauf app marathon, lauf app musik, lauftraining 5 km, joggen abnehmen',
  'yoga app':
    'yoga für anfänger, yoga für schwangere, yoga rücken, yoga für kinder, yoga abnehmen, yoga morgens, pilates wand, yoga zum einschlafen',
  'calorie counter':
    'kalorienzähler barcode, kalorienzähler makros, kalorienzähler rezepte, kalorienzähler foto, abnehmen für frauen, abnehmen ohne sport, diät keto',
  'fasting tracker':
    'intervallfasten 16 8, intervallfasten rezepte, intervallfasten für frauen, fasten app wasser',
  'meditation app':
    'meditation zum einschlafen, meditation für anfänger, meditation für kinder, meditation gegen angst, meditation musik, meditation timer, meditation stress, achtsamkeit übungen, atemübungen angst',
  'sleep tracker':
    'schlaf tracker schnarchen, schlaf tracker wecker, einschlafhilfe kinder, einschlafhilfe regen, weißes rauschen baby, wecker sonnenaufgang, wecker mit aufgaben',
  'journal app':
    'tagebuch mit fotos, tagebuch mit passwort, tagebuch für paare, tagebuch stimmung, stimmungstagebuch therapie, dankbarkeit tagebuch',
  'period tracker':
    'periodenkalender eisprung, periodenkalender für teenager, periodenkalender ohne anmeldung, zykluskalender kinderwunsch, schwangerschaft woche für woche, schwangerschaft vornamen',
  'horoscope app': 'horoskop liebe, horoskop heute, horoskop partner, tarot liebe, astrologie mond',
  'dating app':
    'dating app ab 40, dating app senioren, dating app in der nähe, dating app ernsthaft, singles chat',
  'plant care app':
    'pflanzen erkennen kamera, pflanzen erkennen krankheiten, pflanzenpflege gießen, gartenplaner gemüse, pilze erkennen essbar',
  'baby tracker':
    'baby tracker schlaf, baby tracker stillen, babyphone kamera, vornamen bedeutung, stillen timer',
  'car care app':
    'fahrtenbuch gps, fahrtenbuch finanzamt, führerschein theorie, tankpreise in der nähe, parken app timer',
  'recipe app':
    'rezepte gesund, rezepte vegetarisch, rezepte für zwei, rezepte airfryer, rezepte vegan, rezepte backen, rezepte abnehmen, rezepte mit zutaten, rezepte einkaufsliste, rezepte schnell, kochbuch eigene rezepte',
  'meal planner':
    'essensplaner familie, essensplaner mit einkaufsliste, einkaufsliste geteilt, einkaufsliste preise, essensplaner abnehmen, vorräte barcode',
  'coupon app':
    'gutscheine supermarkt, gutscheine restaurant, angebote supermarkt, cashback kassenbon, preisvergleich barcode',
  'language learning app':
    'sprachen lernen kinder, sprachen lernen mit ki, sprachen lernen vokabeln, sprachen lernen sprechen, sprachen lernen spiele, sprachen lernen reise, englisch lernen anfänger, englisch lernen kinder, englisch lernen sprechen, spanisch lernen anfänger',
  'flashcard app':
    'karteikarten erstellen, karteikarten vokabeln, karteikarten ki, lern app grundschule, prüfung lernen ihk, stundenplan schule',
  'math solver':
    'mathe lösen kamera, mathe app grundschule, mathe app übungen, hausaufgaben hilfe ki, chemie periodensystem',
  'news app':
    'nachrichten regional, nachrichten welt, nachrichten wirtschaft, nachrichten sport, news podcast',
  'trip planner':
    'reiseplaner karte, reiseplaner roadtrip, reiseplaner budget, packliste familie, packliste camping, reisetagebuch karte',
  translator:
    'übersetzer offline, übersetzer kamera, übersetzer sprache, übersetzer englisch, übersetzer tastatur, übersetzer gespräch',
  'navigation app':
    'navigation offline, navigation lkw, navigation fahrrad, navigation blitzer, navigation wandern, bus und bahn fahrplan, routenplaner motorrad',
  'hiking app':
    'wandern karte offline, wandern mit hund, wandern in der nähe, wanderkarte gps, angeln wetter',
  'weather app':
    'wetter radar, wetter stündlich, wetter 14 tage, wetter widget regen, wetter bergwetter, wetter pollen, wetter warnung, wetter segeln, wettervorhersage 10 tage',
  'weather radar': 'regenradar live, regenradar alarm, regenradar widget, unwetter warnung, gewitter alarm',
  'sudoku game':
    'sudoku für anfänger, sudoku schwer, sudoku täglich, sudoku für kinder, sudoku killer, puzzle für erwachsene, sudoku für senioren',
  'match 3 game':
    'puzzle spiele für erwachsene, puzzle spiele für kinder, denkspiele für senioren, denkspiele täglich, block puzzle holz',
  'word game':
    'wortspiele mit freunden, wortsuche für senioren, kreuzworträtsel täglich, wortspiele für kinder',
  'trivia game':
    'quiz mit freunden, quiz für kinder, quiz geografie, allgemeinwissen test, flaggen quiz hauptstädte',
  'card game': 'solitär klassisch, solitär spider, solitär täglich, kartenspiele zu zweit, skat online',
  'chess game':
    'schach für anfänger, schach lernen, schach mit freunden, schach rätsel, schach zu zweit, brettspiele familie',
  'coloring game':
    'ausmalen nach zahlen, ausmalen für erwachsene, ausmalen für kinder, kinderspiele lernen, kinderspiele ab 3, malbuch mandala',
};
