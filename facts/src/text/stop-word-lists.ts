/** Function words by language (ISO 639-1), separated by blanks. */
export const stopWordLists = {
  en: `
a about above after again against all also am an and any are as at be because been before being
below between both but by can cannot can't could did didn't do does doesn't doing don't down during
each either else etc ever every few for from further had has have having he her here hers herself
him himself his how i if i'm in into is isn't it its it's itself i've just let's me more most my
myself neither no nor not of off on once only onto or other our ours ourselves out over own per same
she should so some such than that that's the their theirs them themselves then there these they this
those through to too under until up upon us very via was we were what when where whether which while
who whom whose why will with within without would you you'll your you're yours yourself you've
`,
  fr: `
à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avant avec avez avoir avons c
ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment contre d dans de
depuis des dès donc dont du elle elles en encore entre es est et étaient était être eu eux fait il
ils j je jusqu jusque l la là le les leur leurs lors lorsqu lorsque lui m ma mais me même mêmes mes
moi mon n ne ni non nos notre nôtre nous on ont ou où par parce pas pendant peu peut plus pour
pourquoi puis puisqu puisque qu quand que quel quelle quelles quels qui quoi s sa sans se ses si soi
soit son sont sous sur t ta tandis te tes toi ton tous tout toute toutes très trop tu un une vers
via voici voilà vos votre vôtre vous y
`,
  de: `
ab aber alle allem allen aller alles als also am an andere anderen anderer anderes ans auch auf aus
außer bei beim bevor bin bis bist da dabei dadurch dafür damit dann daran darauf darin das dass daß
dazu dein deine deinem deinen deiner dem den denn der deren des dessen dich die dies diese diesem
diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer
eure für gegen gibt hab habe haben hat hatte hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren
ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinen können man mein
meine meinem meinen meiner mich mir mit nach nicht nichts noch nun nur ob oder ohne per sehr sein
seine seinem seinen seiner seit sich sie sind so sogar sowie über um und uns unser unsere unserem
unseren unter vom von vor wann war waren was wegen weil wenn wer werden wie wieder wir wird wo wurde
wurden zu zum zur zwischen
`,
  es: `
a aquel aquella al algo algún alguna algunas alguno algunos ante antes aquí así aún aunque bajo bien
cada como cómo con contra cual cuál cuales cuando cuándo cuanto da de del desde donde dónde dos
durante e el él ella ellas ellos en entre era eres es esa esas ese eso esos esta está estás estar
estas este esto estos estoy etc fue fueron ha hace hacia han has hasta hay he la las le les lo los
más me mi mí mis mientras muy ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras
otro otros para pero poco por porque pues que qué quien quién se sea según ser será si sí sido sin
sino sobre solo sólo somos son su sus también tan tanto te ti tiene toda todas todo todos tu tú tus
u un una unas uno unos usted ustedes vosotros vuestra vuestro y ya yo
`,
  pt: `
a à agora ainda ali antes ao aos apenas aquela aquele aqueles aquilo as às assim até através bem
cada com como contra da das de dela dele deles depois desde dessa desse desta deste disso disto do
dos durante e é ela elas ele eles em enquanto entre era essa essas esse esses esta está estão estar
estas este estes eu foi for foram há isso isto já la lhe lhes lo mais mas me mesmo meu meus mim
minha minhas muito na nas não nem nessa nesse nesta neste no nos nós nossa nossas nosso nossos num
numa o onde os ou outra outras outro outros para pela pelas pelo pelos per pois por porque qual
quais quando quanto que quem são se seja sem ser será seu seus si só sob sobre somos sou sua suas
também te tem têm ter teu toda todas todo todos tu tua tudo um uma umas uns você vocês vos
`,
  it: `
a ad agli ai al all alla alle allo altra altre altri altro anche ancora avere bell c che chi ci ciò
coi col come con contro così cui d da dagli dai dal dall dalla dalle dallo degli dei del dell della
delle dello dentro di dopo dove durante e è ed egli era essere fa fino fra gli ha hai hanno ho i il
in io l la le lei li lo loro lui m ma me mentre mi mia mie miei mio molto ne né negli nei nel nell
nella nelle nello nessun nessuna no noi non nostra nostre nostri nostro o od ogni oppure per perché
più poi prima proprio può qua quale quali quando quanto quell quella quelle quelli quello quest
questa queste questi questo qui s sant se sei senza si sì sia siamo siete sono sopra sotto sta stata
stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi t te ti tra troppo tu tua tue tuo
tuoi tutta tutte tutti tutto un una uno v vi via voi vostra vostre vostri vostro
`,
  nl: `
aan al alle alles als altijd andere ben bent bij binnen buiten daar dan dat de deze die dit doen
door dus een één en er erg etc geen geweest haar had hadden heb hebben hebt heeft heel hem hen het
hier hij hoe hun iets ieder iedere iedereen ik in is ja je jij jou jouw jullie kan kon kunnen maar
me meer men met mij mijn moet na naar naast nee niet niets nog nu of om omdat onder ons onze ook op
over per reeds samen sinds te tegen ten ter terwijl tijdens toch toen tot tussen u uit uw van vanaf
vanuit veel via voor voordat waar waarom wanneer want waren was wat we weer wel welk welke werd
werden wie wij wil worden wordt zal ze zeer zelf zich zij zijn zo zodat zoals zonder zou
`,
  sv: `
alla allt alltid än andra annan annat är åt att av bara bli blir blev bort både då där därför de deg
dem den denna deras dess dessa det detta dig din dina direkt ditt du efter ej eller en er era ert
ett få får för före från genom ha hade han hans har hela hennes henne här hon honom hos hur i icke
in inga ingen inget inom inte ja jag kan kunde man med mellan men mer mest mig min mina mitt mot
mycket när någon något några nej ni nu och också om oss på per samma samt sedan sig sin sina
sitt ska skall så själv som till under upp ut utan vad vår våra vart vårt var vara varför varit
varje vi via vid vilka vilken vilket vill över
`,
  ja: `
の に は を が と で も や へ か から まで より など だけ ほど くらい ぐらい しか ばかり でも って ば ながら たり し て た だ です ます でした ました ません ない
なく なし なら ので のに けど けれど けれども さ ね よ な ぞ わ これ それ あれ どれ この その あの どの ここ そこ あそこ どこ こちら こと もの ため とき よう そう さん
する した して しよう できる できます でき いる い いた いて ある あり あります あっ なる なり なっ れる られ られる せる させる き たい たく ください くださる という
として による によって において について に対して また および 及び または そして しかし さらに もっと とても すべて 的 等 用 者 私 あなた 彼 彼女 私たち 何 いつ ここで
`,
  ko: `
이 가 은 는 을 를 의 에 에서 에게 께 와 과 도 로 으로 만 까지 부터 보다 처럼 같이 마다 조차 라도 나 이나 랑 이랑 하고 그리고 그러나 하지만 그래서 또 또는 및 혹은
즉 그 이것 그것 저것 저 여기 거기 저기 이런 그런 저런 것 수 등 등의 때 중 위해 위한 위해서 대한 대해 통해 통한 따라 관한 관련 의한 있는 있다 있습니다 있어요 없는 없이
없다 하는 하다 합니다 해요 한 할 해 하기 하면 되는 된 됩니다 되다 모든 각 더 매우 아주 너무 잘 안 못 다 좀 나의 내 너 당신 당신의 우리 우리의 저희 누구 무엇 어떤
어디 언제 왜 어떻게 함께 바로 지금 이제 다른 같은 여러 그냥 입니다 이다 아닌 아니라
`,
  zh: `
的 了 和 是 在 我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 这 那 这个 那个 这些 那些 这里 那里 哪 哪里 什么 怎么 怎样 为什么 谁 吗 呢 吧 啊 呀 嘛 哦 也 都
就 而 及 与 或 或者 以及 并 并且 但 但是 不 没 没有 有 把 被 让 给 对 对于 关于 从 到 向 往 由 于 以 为 为了 因 因为 所以 如果 虽然 然后 还 还有 还是 再 又 很
更 最 太 非常 只 只有 已 已经 会 能 可以 可 要 想 将 每 每个 各 各种 某 其 其他 其中 之 所 地 得 着 过 个 些 等 等等 上 下 里 中 内 外 时 后 前 一个 一些
一样 这样 那样 自己 大家 跟 同 通过 根据 按 比 用 无 即 即可 們 我們 你們 他們 她們 它們 這 這個 這些 這裡 個 什麼 怎麼 為什麼 誰 嗎 與 並 並且 沒 沒有 讓 給 對
對於 關於 從 為 為了 因為 雖然 然後 還 還有 還是 會 將 每個 裡 時 後 過 著 無 於 來 来 去 一個 這樣 那樣 透過 通過 各種 其它 已經 啦 很多
`,
  ru: `
а без более бы был была были было быть в вам вами вас ваш ваша ваше ваши весь во вот все всё всего
всех вы где да даже для до его ее её если есть ещё еще же за здесь и из изо или им их к как какая
какие какой ко когда которая которые который кто куда ли либо лишь между меня мне много можно мой
моя моё мои мы на над надо нам нас наш наша наше наши не него нее неё нет ни них но ну о об обо
однако он она они оно от ото очень перед по под после при про с свой своя своё свои себе себя со так
также такая такие такой там тебе тебя тем то тогда того тоже той только том ты твой твоя твои у уже
через чем что чтобы чтоб эта эти это этого этой этом этот я
`,
  ar: `
من في على إلى الى عن مع هذا هذه ذلك تلك هؤلاء أولئك هو هي هم هن هما أنا انا أنت انت أنتم نحن كان
كانت كانوا يكون تكون ليس ليست لا لم لن ما ماذا متى أين اين كيف لماذا هل أن ان إن أو او أم ثم و ف ب ل
ك بل لكن حتى إذا اذا إذ لو لولا كل بعض أي اي غير بدون دون قد لقد سوف عند عندما عندك بعد قبل بين خلال
حول ضد تحت فوق أمام خلف منذ نحو حيث التي الذي الذين اللذان اللتان اللواتي له لها لهم لك لكم لي لنا
به بها بهم بك فيه فيها عليه عليها عليك منه منها منهم إليه إليها اليك إليك الآن هنا هناك كما مثل أكثر
اكثر جدا جداً فقط أيضا ايضا أيضاً يا نعم كلا سواء أحد احد ذات نفس
`,
  tr: `
acaba ama ancak artık asla aslında az bana bazı belki ben benden beni benim bile bir birçok biri
birkaç biz bize bizi bizim böyle bu buna bunda bundan bunlar bunu bunun burada çok çünkü da daha
dahi de değil diğer diye dolayı en fakat falan gibi göre hâlâ hala hangi hatta hem henüz hep hepsi
her herhangi herkes hiç hiçbir için ile ilgili ise işte kadar karşı ki kim kime kimi kimse mı mi mu
mü nasıl ne neden nedir nerede nereye niçin niye o olan olarak oldu olduğu olmak olsun olur ona
ondan onlar onları onların onu onun öyle oysa rağmen sadece sana sen senden seni senin siz size sizi
sizin son sonra şey şeyler şimdi şöyle şu şuna şunu tabii tüm üzere var ve veya veyahut ya yani
yapmak yerine yine yok yoksa zaten
`,
} as const;
