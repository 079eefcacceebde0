/**
 * The words in more than 12 % of app descriptions, by language (ISO 639-1), separated by blanks. Counted with
 * `scripts/count-common-words.mjs` over 4,959 English, 533 Japanese and 207 Chinese descriptions of the App Store. Of
 * singular and plural only the more frequent one is listed.
 */
export const commonWordLists = {
  en: `
access add adventure app apple around available back based beautiful become best challenge
characters check choose collect come control create day device different discover download easy
enjoy even experience explore facebook favorite features find first follow free friends full fun
game gameplay get go graphics great help high http includes including information ios ipad iphone
items join keep know learn let levels life like look love make many may million mobile mode much
need never new note now one photos play players please power privacy purchases real right save
screen see set settings share show simple skills special start store support take tap time top touch
twitter unique unlock use users using video visit want watch way well work world
`,
  ja: `
app http ipad iphone is twitter ありま いま え お おり お楽しみ く くだ け こんな ご ご利用 さい ざ しく しま しょう すぐ すると せ せん たら っ
つ てい では により べ ま み め ら り れ ん んで アイテム アプリ クリア ゲーム ステージ ストーリー タップ プレイ ポイント ランキング 上 下 世界 中 人 人気 今 以上 使
使用 全 全て 内 分 利用 前 可能 問題 場合 好き 対応 必要 情報 操作 数 方 日 時 時間 本 検索 楽 機能 気 気軽 無料 特徴 画面 登場 登録 目指 確認 端末 簡単 紹介 自分
表示 見 設定 誰 購入 追加 遊 遊び方 選択
`,
  zh: `
app http qq 一 一起 万 下载 不同 专业 世界 个性 中国 中的 丰富 乐趣 也可以 云 互动 交流 产品 享受 人 人物 亿 们 任何 伙伴 体验 你来 你的 使用 信 信息 做 元
免费 全 全新 全球 公众 关 关注 内容 出 击 分享 剧情 力 功能 加入 动 化 升级 单 博 卡 反馈 发现 变 号 同时 喜欢 场 场景 多 多种 大 天 好 好友 安全 完美 官方 宝 实
客 客户 家 小 就是 尽 屏 带 平台 年 应用 开启 强 强大 微 心 快 快速 性 感 成为 战 战斗 所有 手 手机 打造 找到 技能 拥有 挑战 推荐 提供 操作 支持 数据 新 方便 方式
时间 智能 更多 更新 更有 朋友 服 服务 机 杀 极 查看 模式 欢迎 款 每天 活动 海量 游 游戏 满足 炫 点 爆 爱 版 特色 玩 玩家 玩法 生活 用户 画面 畅 看 真实 福利 种 端
第一 简单 精彩 系统 级 线 经典 网 网站 美 群 者 联 联系 自由 获得 萌 视频 角色 设计 评 语音 请 贴 超 超过 轻松 进行 送 选 选择 酷 键 问题 随 随地 随时 音乐 领 首
高
`,
} as const;
