/** Longer searches around a topic, by its noun, the most searched first: searches of people with a specific purpose. */
export const englishTopicSearches: Readonly<Record<string, string>> = {
  'budget planner':
    'budget planner for couples, budget planner with bills, budget planner weekly, budget planner debt payoff, budget planner savings goals, budget planner for students, budget planner no bank account, budget app for couples, budget app envelope',
  'expense tracker':
    'expense tracker for couples, expense tracker receipts, expense tracker business, expense tracker travel, expense tracker group, expense tracker mileage, spending tracker daily, money manager family',
  'bill reminder':
    'bill reminder calendar, bill reminder subscriptions, bill reminder with alarm, bill tracker family, bill organizer paycheck, bill tracker credit card',
  'savings tracker':
    'savings tracker challenge, savings tracker for couples, savings tracker vacation, savings goals kids, save money envelope, savings tracker 52 weeks',
  'stock tracker':
    'stock tracker alerts, stock tracker dividend, stock tracker crypto, stock market simulator, stocks for beginners, stocks news, stock tracker portfolio',
  'loan calculator':
    'loan calculator car, loan calculator student, mortgage calculator extra payments, mortgage calculator refinance, loan calculator compare, debt payoff planner snowball',
  'invoice maker':
    'invoice maker small business, invoice maker contractor, invoice maker estimate, invoice maker receipt, invoice maker time tracking, invoice maker pdf, invoice generator templates',
  'time tracker':
    'time clock employee, time clock gps, work hours tracker overtime, timesheet pdf, shift schedule nurse, shift schedule calendar, time clock payroll',
  'resume builder':
    'resume builder ai, resume builder pdf, resume builder templates, resume builder students, resume builder cover letter, job search remote, job search near me',
  'photo editor':
    'photo editor collage, photo editor background remover, photo editor filters, photo editor with text, photo editor makeup, photo editor retouch, photo editor enhancer, photo editor vintage, photo editing presets, picture editor stickers',
  'collage maker':
    'collage maker with music, collage maker birthday, collage maker frames, collage maker video, collage maker grid, collage maker stickers, photo collage templates',
  'background eraser':
    'background eraser for logo, background eraser passport photo, background remover hd, background eraser change color, remove background video, object remover photo',
  'camera app':
    'camera app vintage, camera app manual, camera app beauty, camera filters vintage, camera app timer, selfie camera makeup, camera app raw',
  'video editor':
    'video editor with music, video editor slow motion, video editor green screen, video editor text, video editor subtitles, video editor for beginners, video editor transitions, video maker photos, video editor collage',
  'slideshow maker':
    'slideshow maker with music, slideshow maker wedding, slideshow maker birthday, slideshow maker templates, slideshow maker video, slideshow maker family',
  'video player':
    'video player subtitles, video player cast, video player private, video downloader private browser, screen recorder with audio, screen recorder facecam, video compressor email',
  'drawing app':
    'drawing app for kids, drawing app for beginners, drawing app anime, drawing app pencil, drawing app animation, drawing app trace, learn to draw anime, drawing app pixel',
  'logo maker':
    'logo maker business, logo maker gaming, logo maker 3d, logo maker esport, logo maker for clothes, poster maker event, flyer maker party, logo maker watercolor',
  'wallpaper app':
    'wallpapers aesthetic, wallpapers 4k, wallpapers anime, wallpapers cute, wallpapers lock screen, live wallpaper cars, widgets photo, wallpapers dark',
  'habit tracker':
    'habit tracker adhd, habit tracker with mood, habit tracker calendar, habit tracker journal, habit tracker for couples, habit tracker goals, habit tracker routine, habit tracker with reminders, habit tracker water, habit tracker streaks, daily routine adhd, daily routine kids',
  'to do list':
    'to do list widget calendar, to do list adhd, to do list family, to do list shared, to do list with reminders, to do list daily planner, to do list work, task manager team, planner aesthetic',
  'daily planner':
    'daily planner adhd, daily planner calendar, daily planner aesthetic, daily planner students, daily planner hourly, calendar shared family, calendar planner, calendar work shift, calendar with reminders, calendar countdown',
  'focus timer':
    'focus timer adhd, focus timer study, focus timer pomodoro, focus timer app blocker, focus timer music, focus timer with friends, pomodoro timer study, study timer with music',
  'notes app':
    'notes handwriting, notes with lock, notes for students, notes to do list, notes voice, notes pdf, notes sticky widget, notes with reminders, notepad with password, note taking ai',
  'document scanner':
    'pdf scanner sign, pdf scanner text, pdf scanner id card, document scanner receipts, document scanner fax, pdf scanner edit, scanner app books',
  'PDF editor':
    'pdf editor sign, pdf editor fill forms, pdf editor merge, pdf reader dark, pdf reader annotate, pdf converter word, pdf converter images, pdf editor compress',
  'password manager':
    'password manager family, password manager generator, password manager authenticator, password manager offline vault, photo vault hidden, app lock fingerprint',
  calculator:
    'calculator scientific, calculator with history, calculator fractions, calculator graphing, calculator percentage, calculator photo vault, calculator currency, unit converter cooking',
  'QR code scanner':
    'qr code reader barcode, qr code reader history, qr code generator logo, qr code generator wifi, barcode scanner price, barcode scanner food, qr code reader pdf',
  VPN: 'vpn fast, vpn private browser, vpn streaming, vpn ad blocker, vpn gaming, vpn wifi security, vpn travel, vpn usa, vpn no account',
  'file manager':
    'file manager zip, file manager cloud, file manager transfer, file manager storage cleaner, phone cleaner duplicate photos, phone cleaner contacts, file manager private',
  'voice recorder':
    'voice recorder transcribe, voice recorder lectures, voice recorder music, voice recorder meeting notes, voice recorder call, voice memos to text, speech to text notes',
  'keyboard app':
    'keyboard fonts, keyboard themes, keyboard emoji, keyboard ai, keyboard photo, keyboard translate, ringtones funny, ringtones maker music',
  'TV remote':
    'tv remote universal, tv remote cast, tv remote keyboard, tv remote mirroring, screen mirroring pc, screen mirroring games, speed test wifi, smart home lights',
  'workout app':
    'workout app for women, workout app at home, workout app gym log, workout app for beginners, workout app strength, workout app dumbbell, workout app weight loss, workout tracker gym, home workout no equipment, home workout men',
  'step counter':
    'step counter weight loss, step counter with friends, step counter map, step counter calories, step counter widget, step counter treadmill, walking app for seniors, pedometer distance',
  'running tracker':
    'running app for beginners, running app marathon, running app music, running app treadmill, running app with friends, running app 5k, running app heart rate, run tracker map, running coach half marathon',
  'yoga app':
    'yoga for beginners, yoga for weight loss, yoga for back pain, yoga for kids, yoga for seniors, yoga chair, yoga prenatal, yoga for sleep, yoga morning, pilates wall, pilates for beginners',
  'calorie counter':
    'calorie counter barcode, calorie counter macros, calorie counter recipes, calorie counter keto, calorie counter steps, calorie counter photo, calorie tracker ai, calorie counter for women, weight loss for women, diet app keto',
  'fasting tracker':
    'intermittent fasting for women, intermittent fasting 16 8, intermittent fasting meal plan, fasting tracker weight, fasting tracker water, fasting timer simple, fasting tracker for men',
  'water tracker':
    'water reminder cute, water reminder daily, water tracker plant, water reminder watch, water tracker caffeine, drink water weight loss',
  'meditation app':
    'meditation for sleep, meditation for anxiety, meditation for beginners, meditation for kids, meditation music, meditation timer, meditation morning, meditation breathing, mindfulness for kids, meditation for stress',
  'sleep tracker':
    'sleep tracker snoring, sleep tracker alarm, sleep tracker heart rate, sleep sounds rain, sleep sounds for babies, sleep tracker dreams, sleep sounds brown noise, white noise baby, white noise fan',
  'journal app':
    'journal with prompts, journal for anxiety, journal with lock, journal for couples, journal mood, journal gratitude, journal photos, journal travel, diary with password, mood tracker bipolar',
  'medication reminder':
    'pill reminder family, pill reminder refill, pill reminder with alarm, pill reminder birth control, medication tracker pets, medication tracker symptoms, medication tracker log',
  'blood pressure log':
    'blood pressure app heart rate, blood pressure app log, blood pressure app diary, blood sugar tracker food, blood sugar tracker diabetes, heart rate monitor workout, heart rate monitor stress',
  'period tracker':
    'period tracker ovulation, period tracker for teens, period tracker pregnancy, period tracker pcos, period tracker partner, period tracker symptoms, period tracker private, pregnancy tracker baby names, pregnancy tracker contraction timer',
  'horoscope app':
    'horoscope love, horoscope daily, horoscope compatibility, horoscope chinese, astrology birth chart, astrology moon, tarot love, palm reading ai, horoscope weekly',
  'dating app':
    'dating app for seniors, dating app over 40, dating app video chat, dating app serious relationship, dating app nearby, dating app christian, dating app for couples, dating chat strangers',
  'interior design app':
    'interior design ai, interior design living room, interior design kitchen, room planner 3d, room planner furniture, home design games, floor plan measure',
  'plant care app':
    'plant identifier care, plant identifier disease, plant identifier tree, plant identifier camera, plant care watering, garden planner vegetable, bird identifier sound, mushroom identifier edible',
  'baby tracker':
    'baby tracker sleep, baby tracker feeding, baby tracker twins, baby tracker milestones, baby monitor camera, baby monitor wifi, baby names meaning, baby tracker shared',
  'event planner':
    'countdown widget, countdown birthday, countdown vacation, countdown wedding, wedding planner budget, wedding planner checklist, wedding planner guest list, birthday reminder contacts',
  'beauty app':
    'makeup try on, makeup camera, makeup tutorial, skin care routine tracker, skin care scanner, hairstyle try on men, hairstyle color, outfit planner closet, nail art designs',
  'car care app':
    'car maintenance log, car maintenance reminder, mileage tracker business, mileage tracker gps, gas prices near me, driving test practice, parking app timer, dash cam recorder',
  'pet care app':
    'dog training puppy, dog training clicker, dog training whistle, dog walking tracker, pet care reminder, pet care vet records, cat sounds toy, pet tracker gps',
  'recipe app':
    'recipes healthy, recipes air fryer, recipes for two, recipes keto, recipes vegan, recipes slow cooker, recipes baking, recipes meal planner, recipes with ingredients, recipes grocery list, recipe keeper scan, cooking timer',
  'meal planner':
    'meal planner grocery list, meal planner family, meal planner keto, meal planner weight loss, meal planner weekly, meal prep healthy, grocery list shared, grocery list price, shopping list family',
  'food delivery app':
    'food delivery near me, food delivery cheap, food delivery grocery, restaurants near me reservation, coffee rewards, cocktails recipes, wine scanner',
  'coupon app':
    'coupons grocery, coupons restaurants, coupons printable, cashback grocery, cashback receipts, price tracker alerts, price comparison barcode, gift cards wallet',
  marketplace:
    'marketplace local, marketplace cars, second hand clothes kids, sell clothes vintage, online shopping cheap, fashion for women, sneakers resale',
  'language learning app':
    'language learning for kids, language learning games, language learning with ai, language learning vocabulary, language learning speaking, language learning flashcards, language learning audio, learn english speaking, learn english for beginners, learn spanish for kids, learn spanish travel',
  'flashcard app':
    'flashcards maker, flashcards language, flashcards ai, flashcards spaced repetition, flashcards medical, study app group, study app timer, exam prep nursing, study planner exam',
  'math solver':
    'math solver camera, math solver step by step, math solver ai, math solver geometry, math solver graph, homework helper ai, homework helper essay, physics formulas, chemistry periodic table',
  'learning app for children':
    'kids learning games math, kids learning games toddlers, kids learning games reading, kids learning games puzzles, learn to read phonics, kids stories bedtime, toddler games animals, abc for kids tracing',
  dictionary:
    'dictionary offline, dictionary spanish, dictionary medical, dictionary with pictures, dictionary thesaurus, grammar checker ai, word of the day widget',
  'ebook reader':
    'ebook reader epub, ebook reader pdf, books romance, books for kids, audiobooks free, audiobooks sleep, reading tracker goals, novels romance, library app audiobooks',
  'news app':
    'news local, news world, news business, news sports, news offline audio, news podcasts, breaking news alerts, rss reader podcasts',
  'music player':
    'music player equalizer, music player lyrics, music player offline mp3, music player cloud, music player sleep timer, offline music downloader, song finder humming, radio fm',
  'guitar tuner':
    'guitar tuner ukulele, guitar tuner bass, guitar tuner metronome, learn guitar for beginners, learn guitar chords, guitar chords songs, beat maker pad, metronome drum',
  'piano app':
    'piano for kids, piano lessons, piano songs, piano sheet music, piano chords, learn piano for beginners, karaoke lyrics, karaoke recorder, singing lessons pitch',
  'podcast player':
    'podcast player speed, podcast player transcripts, podcasts news, podcasts true crime, podcasts for kids, radio stations local, podcasts language learning',
  messenger:
    'messenger private, messenger for kids, messenger video call, messenger group, messenger stickers, email app multiple accounts, web browser private, second phone number text',
  'sports app':
    'live scores soccer, live scores basketball, live scores widget, live scores tennis, football scores fantasy, sports news alerts, cricket score live',
  'trip planner':
    'trip planner road trip, trip planner with map, trip planner budget, trip planner group, trip planner itinerary, trip planner packing list, travel planner family, travel journal map, packing list family',
  'flight tracker':
    'flight tracker live, flight tracker radar, flight tracker alerts, cheap flights last minute, cheap flights hotels, plane radar live, flight tracker log',
  'hotel booking app':
    'hotels near me, hotels last minute, hotels and flights, hotels cheap, hotels pet friendly, camping map, camping checklist, vacation rentals beach',
  translator:
    'translator voice, translator camera, translator offline, translator spanish english, translator conversation, translator keyboard, translator photo, translator japanese, translate pdf',
  'navigation app':
    'gps navigation offline, gps navigation truck, gps navigation speed camera, gps navigation voice, route planner delivery, route planner cycling, maps hiking, speedometer gps',
  'hiking app':
    'hiking trails near me, hiking trails offline map, hiking app for beginners, hiking app dogs, trail map bike, compass gps, fishing app weather, ski tracker speed',
  'weather app':
    'weather radar map, weather hourly, weather widget aesthetic, weather alerts, weather marine, weather fishing, weather pollen, weather 14 days, weather with clothes',
  'match 3 game':
    'puzzle games for adults, puzzle games for kids, puzzle games jigsaw, puzzle games merge, puzzle games word, puzzle games brain, puzzle games hidden objects, bubble shooter classic, block puzzle wood',
  'sudoku game':
    'sudoku daily, sudoku for beginners, sudoku killer, sudoku hard, sudoku for kids, sudoku for seniors, jigsaw puzzles for adults, nonogram color, math games for kids',
  'word game':
    'word search for seniors, word search daily, word search bible, word games with friends, word games for kids, word games crossword, crossword puzzles daily, word puzzle anagram',
  'trivia game':
    'trivia with friends, trivia for kids, trivia bible, trivia movies, trivia general knowledge, quiz games geography, flags quiz capitals, riddles for kids, party games couples',
  'card game':
    'solitaire classic, solitaire spider, solitaire daily challenge, solitaire freecell, solitaire tripeaks, card games hearts, card games for two, rummy with friends',
  'chess game':
    'chess for beginners, chess puzzles, chess with friends, chess lessons, chess for kids, chess two players, checkers two players, mahjong solitaire, board games family',
  'coloring game':
    'coloring book for adults, coloring book by number, coloring book for kids, coloring book mandala, coloring games princess, kids games puzzles, kids games toddlers, kids games learning, kids games cooking, kids games cars',
  'casual game':
    'casual games for adults, idle games offline, idle games tycoon, cat games for kids, relaxing games for adults, makeover games fashion, offline games puzzle',
  'racing game':
    'racing games car, racing games for kids, racing games bike, racing games drift, racing games two players, car games parking, car games driving simulator, parking games truck',
  'action game':
    'action games zombie, action games offline shooting, action games ninja, shooting games sniper, shooting games zombie, war games tank, fighting games two players',
};
