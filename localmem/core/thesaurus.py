"""Everyday concepts and their words: what a person may be asked about, and what answers it.

A sentence model is weak on short personal facts that share no word with the question: one asks in
categories ("contact", "shoe size", "pets"), the fact names an instance ("WhatsApp", "EU 42", "a
dog called Rex"). Each concept here lists both, so that `core.concepts` can let them meet.

How to write it
    `name: words`, split at white space; `_` is a space inside a phrase, `#` any number (`#am`,
    `before_#`), a `*` at the end of a single word any ending (at least four letters before it).
    `en:` and the like name the language of what follows; a word stands once in a concept, under
    the first of its languages, and `all:` holds names and signs that are the same in all.
    `<food` makes every word of the concept a word of `food` too.
    Accents and case are for the reader: words are folded as the word index folds them. Chinese
    and Japanese words are found inside others.

What is left out, on purpose
    Words that would be wrong in most sentences of some language once accents are folded: `the`
    (French tea), `these` (thesis), `la` (Portuguese wool), `unas` (Spanish nails), `te` (tea),
    `sono` (sleep, Italian for am), `hat` (German for has), `mala` (suitcase, Spanish for bad),
    `come` (eats), `le` (reads), `pain` (French bread), `kind` (German child), `uber`, `nas`.
    Words that say nothing about what is told: like, use, want, time, day, good, thing, call me.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

IDIOMS = """
    en: hot_dog hot_dogs coffee_table coffee_tables tee_shirt black_friday cyber_monday
        good_morning good_afternoon good_evening white_paper green_light red_flag red_flags
        white_label grey_area gray_area blue_screen black_box red_cross red_hat red_tape
        green_card white_wine red_wine green_tea black_tea black_coffee black_belt file_name
        file_names branch_name variable_name domain_name host_name class_name function_name
        column_name table_name file_size batch_size page_size image_size font_size window_size
        team_size company_size sample_size pool_size api_key api_keys ssh_keys function_call
        function_calls system_call api_call api_calls wake_up_call close_call last_call so_called
        error_message error_messages commit_message commit_messages log_message email_address
        ip_address mac_address address_him address_her address_them address_me address_you
        how_to_address running_late running_on running_out running_a running_an running_the
        running_low running_time up_and_running on_the_fly live_music live_stream live_chat
        live_demo live_event live_events does_not_work doesn_t_work do_not_work don_t_work
        work_out works_out party_size third_party third_parties political_party family_name
        family_doctor host_family child_process parent_class parent_company parent_directory
        mother_tongue mother_in_law father_in_law brother_in_law sister_in_law mother_board
        house_wine house_music full_house white_house flat_white flat_rate flat_tyre flat_tire
        flat_shoes cat_litter copy_cat dog_ear dog_tag contact_lens contact_lenses wine_glass
        wine_glasses drinking_glasses package_manager password_manager window_manager cron_job
        cron_jobs background_job background_jobs hard_drive hard_drives google_drive usb_drive
        flash_drive external_drive nail_polish french_fries french_press german_shepherd
        english_breakfast brussels_sprouts italian_food italian_restaurant italian_cuisine
        french_food french_restaurant chinese_food chinese_restaurant chinese_takeaway
        japanese_food japanese_restaurant spanish_food korean_food peanut_butter butter_knife
        new_jersey traffic_jam of_course golf_course main_course time_series read_only
        read_replica read_the_docs smoke_test smoke_tests smoke_detector smoke_alarm city_bike
        rock_climbing rock_solid bank_holiday bank_holidays square_feet on_foot foot_in_the_door
        social_security keyboard_shortcut keyboard_shortcuts drawing_board in_a_draw paid_off
        pay_attention visa_card visa_debit visa_ending sports_car train_of_thought play_store
        app_store vector_store data_store object_store school_of_thought
    pt: na_altura nessa_altura nesta_altura à_altura cidade_natal terra_natal pasta_de na_pasta
        endereço_de_email endereço_de_e_mail lentes_de_contacto lentes_de_contato língua_de_sinais
        um_bebê uma_bebê o_bebê vinho_do_porto sala_de_aula
    es: la_red en_red una_red red_de de_red red_wifi red_social lengua_de_signos lengua_de_señas
        un_bebé el_bebé su_bebé mi_bebé dirección_de_correo media_naranja
    fr: quelque_chose autre_chose grand_chose une_chose la_chose chose_que en_train_de son_bébé
        lentilles_de_contact pommes_de_terre
    de: art_und_weise diese_art eine_art der_art aller_art kontaktlinse kontaktlinsen
    it: lenti_a_contatto
    zh: 熊猫 吃惊 牙买加 孟买 肌肉 老太太 清真寺
    ja: 筋肉 麻薬 ウイスキー 靴下 焼きそば アメリカン 金魚 人魚 日本酒 日本料理 猫背
"""
"""Phrases that are not about their words: a coffee table is no coffee. Nothing in them counts but
the phrase itself, where a concept lists it ("contact lenses" are vision, and no contact)."""

VAGUE = """
    en: like likes liked want wants use uses used using need needs needed prefer prefers preferred
        know knows get gets make makes go goes take takes give gives best thing things kind user
        person
    pt: gosta gosto gostam quer quero prefere precisa preciso usa uso sabe saber faz fazer vai
        devo deve melhor coisa coisas tipo usuário utilizador pessoa
    es: gusta gustan quiere quiero prefiere necesita necesito sabe hace hacer debo debe mejor cosa
        cosas usuario persona
    fr: aime aiment veut préfère besoin utilise faut dois doit meilleur
    de: mag möchte will bevorzugt braucht benutzt soll muss beste
    it: piace vuole preferisce bisogno usa devo deve migliore
"""
"""Words of a question that ask and tell nothing of what is asked for."""

_CONCEPTS = {
    # Reaching the person.
    "contact": """
        en: contact* reach_me reach_him reach_her reach_them reach_you reach_out get_in_touch
            getting_in_touch in_touch get_hold_of reachable preferred_channel
            communication_channel
        pt: contat* falar_com fala_comigo comunicação comunicar_com canal_preferido
            canal_de_comunicação
        es: comunicarse comunicación hablar_con localizar localizarme localizable
        fr: joindre joignable coordonnées
        de: kontakt* erreichen erreichbar
        it: reperibile
        zh: 联系 联络 聯繫 聯絡
        ja: 連絡
    """,
    "phone": """
        <contact
        en: phone phones phoned phoning call calls calling caller voicemail* landline* cellphone*
            mobile_number cell_number ring_me ring_him ring_her ring_them facetime telephon*
        pt: telefon* ligar ligue ligação ligações liga_para liga_pra telemóvel telemóveis chamadas
            caixa_postal celular celulares uma_chamada chamada_telefónica ligar_antes me_liga
        es: llamar llámame llamarle llamarme llame llamen llamada llamadas móvil móviles
            buzón_de_voz
        fr: appeler coup_de_fil appels_téléphoniques
        de: anrufen handynummer handy_nummer anruf anrufe anrufer anruft
        it: chiamare chiamata chiamate cellulare cellulari segreteria_telefonica
        zh: 打电话 手机 手機 来电 电话号码 電話 电话
        ja: 携帯 留守電
        all: 📞 📱 ☎
    """,
    "email": """
        <contact
        en: email* e_mail e_mails mail mails mailbox inbox mailing_list email_address
        pt: correio_eletrónico caixa_de_entrada endereço_de_email endereço_de_e_mail
        es: correo correos correo_electrónico bandeja_de_entrada dirección_de_correo
        fr: courriel* boîte_mail
        de: posteingang
        it: posta_elettronica casella_di_posta
        zh: 邮件 邮箱 電郵 郵件
        ja: メール
        all: gmail outlook hotmail protonmail icloud_mail 📧
    """,
    "messaging": """
        <contact
        en: messenger messengers messaging text_message text_messages text_me texting texts_only
            message_me chat chats direct_message direct_messages group_chat instant_message dms
            message messages live_chat
        pt: mensagem mensagens bate_papo zapzap no_zap pelo_zap
        es: mensaje mensajes mensajería chatear
        fr: messagerie
        de: nachricht nachrichten
        it: messaggio messaggi messaggino messaggistica
        zh: 短信 发信息 微信 发消息
        ja: メッセージ チャット
        all: whatsapp wapp telegram imessage wechat viber kakaotalk discord slack sms skype
            threema signal_app signal_group facebook_messenger google_chat
    """,
    "video_call": """
        en: video_call video_calls videocall* video_conference video_conferences video_chat
            camera_on camera_off
        pt: videochamada* videoconferência* chamada_de_vídeo câmera_ligada câmara_ligada
        es: videollamada* cámara_encendida
        fr: visioconférence visio
        de: videokonferenz videoanruf
        it: videochiamata videochiamate
        zh: 视频会议 视频通话
        ja: ビデオ通話 ビデオ会議
        all: zoom google_meet ms_teams microsoft_teams on_teams facetime webex
    """,
    "availability": """
        en: available availability unavailable best_time do_not_disturb busy free_on free_at
            before_# after_# between_# not_before not_after only_before only_after office_hours
            quiet_hours at_noon when_can_i when_can_we best_moment when_is_she_free
            when_is_he_free when_are_they_free
        pt: disponível disponíveis indisponível ocupado ocupada melhor_hora melhor_horário
            antes_das_# depois_das_# após_as_# até_às_# a_partir_das_# entre_as_# horário horários
            disponibil* quando_posso quando_está_livre
        es: disponible* mejor_hora mejor_momento antes_de_las_# después_de_las_# hasta_las_#
            a_partir_de_las_# entre_las_# horario_de_contacto no_molestar cuándo_puedo
            cuándo_está_libre
        fr: avant_#h après_#h
        de: verfügbar* vor_#_uhr nach_#_uhr ab_#_uhr
        it: occupato prima_delle_# dopo_le_#
        zh: 有空 方便的时间 什么时候方便
        ja: 都合 空いている 何時ごろ
    """,
    "time_of_day": """
        en: morning mornings afternoon afternoons evening evenings noon midday midnight lunchtime
            early_bird night_owl o_clock what_hour what_time #am #pm #_am #_pm #_a_m #_p_m
        pt: manhã manhãs de_tarde à_tarde da_tarde tardinha meio_dia meia_noite madrugada
            que_horas a_que_horas à_noite de_noite de_manhã
        es: por_la_mañana de_la_mañana por_la_tarde de_la_tarde por_la_noche de_la_noche mediodía
            medianoche a_qué_hora qué_hora mañanas
        fr: matin matinée après_midi midi soir soirée
        de: morgens vormittag* nachmittag* abends mittags uhr
        it: mattina mattino pomeriggio mezzogiorno mezzanotte
        zh: 早上 上午 下午 晚上 中午 几点
        ja: 午前 午後 夕方 何時
    """,
    "weekday": """
        en: monday* tuesday* wednesday* thursday* friday* saturday* sunday* weekday* weekend*
            which_day what_day day_of_the_week days_of_the_week
        pt: segunda_feira terça_feira quarta_feira quinta_feira sexta_feira segundas terças
            às_quartas às_quintas às_sextas nas_quartas nas_quintas nas_sextas fim_de_semana
            fins_de_semana que_dia dia_da_semana dia_útil dias_úteis sábado sábados domingo
            domingos
        es: lunes martes miércoles jueves viernes fin_de_semana fines_de_semana qué_días
            día_laborable días_laborables
        fr: lundi* mardi* mercredi* jeudi* vendredi* samedi* dimanche*
        de: dienstag* mittwoch* donnerstag* freitag* samstag* sonntag* wochenende* wochentag*
            montag montags
        it: lunedì martedì mercoledì giovedì venerdì sabato domenica
        zh: 周一 周二 周三 周四 周五 周六 周日 周末 星期 礼拜 週末
        ja: 月曜 火曜 水曜 木曜 金曜 土曜 日曜 平日
    """,
    "language": """
        en: language languages speak speaks spoken speaking bilingual fluent fluently
            native_speaker mother_tongue translate* translation* english portuguese spanish french
            german italian chinese mandarin japanese korean arabic russian dutch polish
        pt: idioma* língua línguas fala_inglês falar_inglês fala_português falam bilíngue fluente*
            tradução traduções tradutor* inglês português espanhol francês alemão italiano chinês
            mandarim japonês coreano árabe russo holandês polonês polaco traducir traduz traduzir
            traduce traductor
        es: hablar_inglés habla_inglés habla_español lengua lenguas lengua_materna español
            castellano alemán chino ruso catalán gallego euskera
        fr: langue langues anglais français allemand espagnol traduction traducteur
        de: sprache sprachen spricht deutsch englisch französisch spanisch portugiesisch
        it: lingue inglese francese tedesco portoghese spagnolo
        zh: 语言 英语 中文 普通话 葡萄牙语 西班牙语 法语 德语 日语 粤语 翻译
        ja: 言語 英語 日本語 中国語 ポルトガル語 翻訳 通訳 母語
    """,
    "timezone": """
        en: time_zone time_zones timezone* utc gmt local_time bst est_time
        pt: fuso_horário fusos_horários fuso hora_local horário_de_brasília hora_de_lisboa
        es: huso_horario zona_horaria
        fr: fuseau_horaire heure_locale
        de: zeitzone* ortszeit
        it: fuso_orario ora_locale
        zh: 时区 時區
        ja: 時差 タイムゾーン
    """,
    "emergency": """
        en: emergency emergencies in_case_of_emergency next_of_kin if_anything_happens ambulance
        pt: emergência* urgência* em_caso_de_acidente se_algo_acontecer ambulancia*
        es: en_caso_de_accidente
        fr: urgence urgences
        de: notfall* krankenwagen notruf*
        it: emergenza emergenze urgenza ambulanza
        zh: 紧急 緊急聯絡 急救
        ja: 緊急 救急
    """,
    "reply": """
        en: reply replies replying respond responds response_time answers_within get_back_to
            answers_quickly slow_to_answer follow_up follow_ups
        pt: responder responde respondem resposta respostas retorno_em dar_retorno
        es: respuesta respuestas contestar contesta contestan
        fr: répondre répond réponse réponses
        de: antworten antwortet antwort rückmeldung
        it: rispondere risponde risposta risposte
        zh: 回复 回覆
        ja: 返信 返事
    """,
    "newsletter": """
        en: newsletter* unsubscribe* promotional promotions promo_emails marketing_emails
        pt: boletim boletim_informativo cancelar_inscrição descadastrar e_mail_marketing promoções
            promocionais
        es: boletín boletines darse_de_baja correo_comercial promocionales
        fr: infolettre désabonner
        de: abmelden rundbrief werbemails
        it: disiscrivere bollettino
        zh: 订阅邮件 广告邮件
        ja: メルマガ 配信停止
    """,
    "notification": """
        en: notification* notify notified notifies alert alerts reminder* remind reminds
            push_notifications muted mute
        pt: notificação notificações notificar notifica lembrete* lembrar avisar aviso avisos
            alerta alertas lembra_me lembre
        es: notificación notificaciones recordatorio* avísame recuérdame silenciar
        fr: rappel rappels prévenir alerte alertes
        de: benachrichtig* erinnerung* erinnern
        it: notifiche promemoria avvisi avvisare
        zh: 通知 提醒
        ja: リマインド お知らせ
    """,
    "social_media": """
        en: social_media social_network social_networks follower* username* handle_is
            online_profile posts_on
        pt: rede_social redes_sociais seguidor* nas_redes nome_de_usuário
        es: red_social redes_sociales nombre_de_usuario publica_en
        fr: réseau_social réseaux_sociaux
        de: soziale_medien soziale_netzwerke benutzername
        it: rete_sociale
        zh: 社交媒体 微博 小红书 抖音 朋友圈
        ja: ツイッター インスタグラム
        all: instagram facebook linkedin tiktok twitter mastodon bluesky youtube snapchat
            pinterest reddit
    """,
    # Who the person is.
    "name": """
        en: name names named nickname* surname* goes_by known_as full_name maiden_name middle_name
            spelled spelt spelling called family_name
        pt: nome nomes apelido apelidos sobrenome* chamado chamada_de se_chama chama_se chamar_de
            trata_por nome_completo
        es: nombre nombres apellido* apodo* se_llama se_llaman llamarse me_llamo le_llaman
            nombre_completo
        fr: surnom nom_de_famille s_appelle nom prénom prénoms
        de: vorname* nachname* spitzname* heißt heißen namens
        it: cognome soprannome si_chiama mi_chiamo
        zh: 名字 姓名 叫什么 昵称 绰号
        ja: 名前 苗字 あだ名 呼び名
    """,
    "form_of_address": """
        en: address_him address_her first_name_basis she_her he_him they_them mr mrs madam
            honorific form_of_address pronoun pronouns address_them address_me address_you
            how_to_address be_addressed addressed_as
        pt: tratamento tratar_por tratado_por tratada_por trate_por senhor senhora nome_social
            pronome pronomes tratar_por_tu tratar_por_você
        es: pronombre* tratar_de tutear tutearle tratar_de_usted señor señora forma_de_trato
            tratarle_de_usted
        fr: tutoyer tutoie vouvoyer vouvoie tutoiement vouvoiement monsieur madame
        de: duzen siezen anrede per_du per_sie frau_dr herr_dr
        it: dare_del_tu dare_del_lei dargli_del_tu darle_del_lei signore signora pronomi
        zh: 称呼 怎么称呼
        ja: 敬称 呼び方 さん付け
    """,
    "gender": """
        en: gender female nonbinary non_binary transgender is_male a_male male_or_female
        pt: gênero sexo_feminino sexo_masculino feminino masculino não_binário não_binária
            transgênero
        es: femenino no_binario no_binaria sexo_biológico
        fr: femme_ou_homme féminin masculin
        de: geschlecht weiblich männlich
        it: sesso femminile maschile
        zh: 性别
        ja: 性別
    """,
    "birthday": """
        en: birthday* birthdate* date_of_birth born birth_date dob
        pt: aniversário* nascimento nasceu nasci nascido nascida faz_anos fazer_anos
        es: cumpleaños nacimiento nació nacido fecha_de_nacimiento cumple_años
        fr: anniversaire née_le naissance
        de: geburtstag* geboren geburtsdatum
        it: compleanno nato_il nata_il nascita
        zh: 生日 出生
        ja: 誕生日 生まれ
        all: 🎂
    """,
    "age": """
        en: age aged how_old year_old years_old #_years_of_age teenager* in_her_thirties
            in_his_thirties in_her_forties in_his_forties in_their_twenties #_yrs_old
        pt: idade anos_de_idade quantos_anos_tem que_idade tem_#_anos adolescente*
        es: edad cuántos_años tiene_#_años años_de_edad mayor_de_edad
        fr: quel_âge a_#_ans
        de: wie_alt jahre_alt jährig* volljährig
        it: ha_#_anni quanti_anni che_età l_età
        zh: 年龄 多大了 年紀 几岁 #_岁 多大年纪
        ja: 年齢 歳 何歳
    """,
    "origin": """
        en: nationality nationalities citizen citizenship hometown comes_from come_from
            originally_from born_in grew_up_in raised_in where_is_she_from where_is_he_from
            where_are_they_from immigrant* native_of brazilian irish mexican australian ukrainian
            argentin* she_from he_from they_from american_citizen british_citizen irish_citizen
        pt: cidadania cidadão_de natural_de naturalidade nasceu_em brasileir* de_onde_é imigrante*
            angolan* moçambican* nacionalidad* mexicano mexicana chileno chilena cidade_natal
            terra_natal
        es: ciudadanía ciudadano_de originario_de nació_en creció_en brasileñ* colombian*
            venezolan* de_dónde_es inmigrante* español_de_nacimiento peruano peruana
        fr: nationalité originaire citoyenneté brésilien* née_à
        de: staatsangehörigkeit nationalität herkunft stammt_aus kommt_aus brasilian*
        it: nazionalità cittadinanza originario_di originaria_di
        zh: 国籍 老家 籍贯 巴西人 来自
        ja: 出身 ブラジル人
    """,
    "country": """
        en: country countries brazil spain germany italy united_states usa united_kingdom england
            scotland ireland switzerland japan netherlands belgium norway sweden denmark poland
            greece ukraine morocco south_africa portugal angola argentina chile colombia uruguay
            venezuela canada mexico france austria china australia luxemburgo
        pt: países em_que_país brasil espanha frança alemanha itália estados_unidos reino_unido
            inglaterra irlanda suíça japão bélgica noruega suécia grécia marrocos cabo_verde
            moçambique
        es: qué_país españa francia alemania japón suiza marruecos perú
        fr: espagne allemagne royaume_uni états_unis brésil suisse quel_pays
        de: deutschland spanien frankreich brasilien schweiz österreich vereinigte_staaten
        it: paese germania spagna brasile stati_uniti svizzera inghilterra
        zh: 国家 美国 巴西 葡萄牙 西班牙 德国 英国 法国 日本 哪个国家
        ja: アメリカ ブラジル ポルトガル スペイン ドイツ イギリス フランス
    """,
    "city": """
        en: city cities town towns lisbon new_york rome munich vienna prague brussels copenhagen
            warsaw athens istanbul geneva madrid barcelona coimbra curitiba porto_alegre valencia
            paris berlin london dublin amsterdam milan zurich boston chicago seattle toronto tokyo
            shanghai singapore buenos_aires santiago san_francisco los_angeles
        pt: cidade* vila município aldeia são_paulo rio_de_janeiro lisboa no_porto do_porto
            belo_horizonte brasília salvador_da_bahia florianópolis londres nova_iorque nova_york
            braga faro recife fortaleza munique genebra roma
        es: pueblo bogotá ciudad_de_méxico sevilla nueva_york bilbao málaga zaragoza medellín
            montevideo ciudad ciudades
        fr: ville villes lyon marseille bruxelles genève
        de: stadt städte münchen hamburg köln frankfurt wien
        it: città milano torino napoli firenze venezia
        zh: 城市 北京 上海 深圳 广州 香港 里斯本 圣保罗
        ja: 東京 大阪 京都 リスボン サンパウロ
    """,
    "personality": """
        en: personality introvert* extrovert* shy outgoing temperament punctual perfectionist
        pt: personalidade pontual perfeccionista tímido tímida timidez
        es: personalidad puntual
        fr: personnalité timide ponctuel
        de: persönlichkeit schüchtern pünktlich
        it: personalità introverso estroverso puntuale
        zh: 性格 内向 外向
        ja: 内気 人見知り
    """,
    "religion": """
        en: religious faith catholic* christian christians christianity muslim* islam jewish
            judaism buddhis* protestant* atheist* church mosque synagogue prays prayer prayers
            ramadan shabbat believer evangélic* agnóstic* religion religions hindu hindus hinduism
        pt: religião religiões religios* católic* cristão cristã muçulman* judeu judia budista*
            hinduísta ateu ateia igreja missa mesquita reza rezar ramadão ramadã espírita
            candomblé umbanda
        es: cristiano cristiana musulm* judío ateo atea iglesia misa mezquita religiones
        fr: catholique* chrétien* juif juive église mosquée athée
        de: kirche katholisch evangelisch jüdisch gebet moschee hinduismus
        it: religione cattolic* chiesa messa moschea ebreo
        zh: 宗教 基督教 天主教 佛教 穆斯林 教堂
        ja: 教会 仏教 キリスト教
    """,
    "politics": """
        en: politics election* votes_for voter left_wing right_wing political_party democrats
            republicans political_views
        pt: política políticos eleição eleições vota_em partido_político
        es: elecciones vota_a
        fr: politique
        de: politik wahlen politische_partei
        it: elezioni partito_politico
        zh: 政治 选举
        ja: 選挙
    """,
    # Family and others.
    "family": """
        en: family families relatives grandmother* grandfather* grandparent* grandma grandpa
            granny uncle uncles aunt aunts auntie cousin cousins nephew* niece nieces in_laws
            mother_in_law father_in_law godmother godfather godson godparents
        pt: parente parentes vovó tio tia tios primos sobrinho* sobrinha* sogra sogro sogros
            cunhad* padrinho madrinha netos afilhad* família famílias netinho meu_avô minha_avó
            avó avós meu_primo minha_prima seu_primo sua_prima minha_neta sua_neta meu_neto
            seu_neto
        es: abuel* sobrin_ suegra suegro cuñad* nieto nieta nietos padrino pariente parientes
            mi_primo mi_prima su_primo su_prima
        fr: famille grand_mère grand_père oncle cousine neveu belle_mère beau_père sa_tante
        de: familie verwandte oma großmutter großvater onkel schwiegermutter enkel* meine_tante
            mein_opa neffe nichte
        it: famiglia parenti nonna nonno nonni zio zia cugino cugina nipote nipoti suocera
        zh: 家人 家庭 亲戚 奶奶 爷爷 外婆 外公 叔叔 阿姨 家族
        ja: 親戚 祖母 祖父 おばあ おじい いとこ
    """,
    "partner": """
        <family
        en: wife wives husband* spouse* partner girlfriend boyfriend fiance fiancee married
            marriage engaged_to widow* ex_wife ex_husband is_single relationship_status
            marital_status dating divorcé* ex_partner
        pt: esposa esposo marido cônjuge namorad* noiv* casamento solteir* divorciad* divórcio
            viúv* companheir* ex_mulher ex_marido minha_mulher sua_mulher a_mulher_dele
            mulher_dele estado_civil casado casada casados casadas
        es: pareja novio novia novios boda matrimonio soltero su_mujer mi_mujer cónyuge
        fr: épouse mari compagne mariée célibataire sa_femme petite_amie petit_ami copine conjoint
            conjointe
        de: ehefrau ehemann verheiratet geschieden verlobt* freundin ledig verwitwet seine_frau
            ihr_mann partnerin
        it: moglie marito compagno compagna sposat* fidanzat* divorziat* coniuge
        zh: 妻子 老婆 老公 太太 伴侣 女朋友 男朋友 结婚 离婚 配偶 她丈夫 我丈夫 的丈夫
        ja: 旦那 奥さん 結婚 離婚 配偶者 夫は 夫が 夫の 夫と 妻は 妻が 妻の 妻と
    """,
    "children": """
        <family
        en: child children kid kids daughter* stepson* stepdaughter* toddler* newborn* baby babies
            my_son her_son his_son their_son son_s eldest youngest offspring has_a_son have_a_son
            two_sons three_sons #_sons her_sons his_sons their_sons my_sons
        pt: criança* enteado* enteada* recém_nascido recém_nascida caçula filho filha filhos
            filhas filhinho filhinha um_bebê uma_bebê o_bebê bebezinho
        es: hijo hijos hija hijas hijastro niño* niña* recién_nacido un_bebé el_bebé su_bebé
            mi_bebé
        fr: enfant enfants fils fille filles son_bébé
        de: kinder kindern sohn söhne tochter kleinkind säugling mein_kind ihr_kind sein_kind
            ein_kind
        it: figlio figli figlia figlie bambino bambina bambini neonato
        zh: 孩子 儿子 女儿 宝宝 小孩 子女
        ja: 子供 子ども 息子 赤ちゃん 娘さん 娘は 娘が 娘の 娘と
    """,
    "siblings": """
        <family
        en: sibling* brother* sister* twin_sister twin_brother twins only_child
        pt: irmã irmão irmãs irmãos filho_único filha_única irmãozinho gêmeo gêmea gêmeos gêmeas
        es: mellizo* hijo_único hermano hermana hermanos hermanas hermanito hermanita gemelo
            gemelos gemelas
        fr: frère* soeur* jumeau jumelle
        de: bruder schwester* geschwister zwilling*
        it: fratello fratelli sorella sorelle gemello gemella
        zh: 兄弟 姐姐 哥哥 弟弟 妹妹 姐妹
        ja: 姉妹 姉は 姉が 姉の 姉と 妹は 妹が 妹の 妹と 兄は 兄が 兄の 兄と 弟は 弟が
    """,
    "parents": """
        <family
        en: parent parents mother mothers father fathers mom moms mum mums mummy dad dads daddy
            stepmother stepfather
        pt: mãe mães os_pais seus_pais meus_pais pais_dele pais_dela pai mamãe papai padrasto
            madrasta
        es: madre madres padre padres mamá mi_papá su_papá padrastro madrastra
        fr: mère père maman
        de: mutter vater eltern
        it: genitori mamma
        zh: 父母 妈妈 爸爸 母亲 父亲
        ja: 母親 父親 両親 お母さん お父さん
    """,
    "friends": """
        en: friend friends friendship best_friend buddy flatmate* roommate* neighbour neighbours
            neighbor neighbors
        pt: amigo amiga amigos amigas amizade* melhor_amigo colega_de_quarto vizinh*
        es: amistad* compañero_de_piso vecino vecina vecinos
        fr: ami amie amis copain copains voisin* colocataire*
        de: freunde mitbewohner* nachbar nachbarn nachbarin
        it: amico amica amici vicino_di_casa coinquilino
        zh: 朋友 邻居 室友
        ja: 友達 友人 隣人
    """,
    "pets": """
        en: pet pets dog dogs doggy puppy puppies cat cats kitten* hamster* rabbit* bunny parrot*
            goldfish aquarium guinea_pig tortoise horse horses vet veterinar* leash litter_box
            breed chihuahua poodle labrador* golden_retriever dachshund bulldog beagle siamese
            animal_lover german_shepherd border_collie pet_food dog_food
        pt: animal_de_estimação animais_de_estimação bicho_de_estimação cachorr* cão cães cadela
            gato gata gatos gatas gatinh* coelho* papagaio periquito* peixinho aquário cavalo*
            tartaruga* passear_o_cão vira_lata raça_do_cão filhote filhotes
        es: mascota* perro perra perros perrito conejo* caballo caballos tortuga pez_dorado
            un_loro gatito gatita
        fr: chien chienne chiens chaton animal_de_compagnie animaux lapin vétérinaire
        de: haustier* hund hunde hündin kater welpe* kaninchen tierarzt katze katzen kätzchen
        it: gatto gatti gattino animale_domestico cucciolo coniglio un_cane il_cane mio_cane
            suo_cane due_cani
        zh: 宠物 狗 猫 仓鼠 兔子 金鱼 犬 猫_ja
        ja: 子犬 子猫 うさぎ インコ ハムスター ペットは ペットの ペットを 金魚
        all: 🐶 🐱 🐕 🐈
    """,
    "childcare": """
        <children
        en: nanny nannies babysit* daycare day_care kindergarten childcare au_pair stroller
            pushchair nappies diapers crib
        pt: babá babás ama_seca creche* infantário jardim_de_infância fralda* carrinho_de_bebê
            berço
        es: niñera* guardería* jardín_de_infancia pañal* cochecito cuna
        fr: nounou maternelle poussette
        de: kita tagesmutter windel* kinderwagen
        it: asilo_nido pannolin* passeggino
        zh: 保姆 幼儿园 托儿所 尿布
        ja: 保育園 幼稚園 ベビーシッター おむつ
    """,
    "pregnancy": """
        <health
        en: pregnan* due_date expecting_a maternity paternity breastfeed* parental_leave midwife
        pt: grávida gravidez gestante licença_maternidade licença_paternidade amamenta* parto
        es: embaraz* baja_maternal baja_paternal matrona lactancia
        fr: enceinte grossesse congé_maternité accouchement
        de: schwanger* elternzeit mutterschutz hebamme
        it: incinta gravidanza maternità allattamento
        zh: 怀孕 孕妇 产假
        ja: 妊娠 出産 育休 産休
    """,
    "celebration": """
        en: party parties wedding* anniversary anniversaries invitation* invited guests guest_list
            celebra*
        pt: festa festas comemora* aniversário_de_casamento bodas convidado* convidada* convite*
            festa_de_casamento
        es: fiesta fiestas boda invitado* invitación invitaciones
        fr: fête fêtes mariage invités
        de: hochzeit* jubiläum einladung* gäste feier feiern feiert
        it: matrimonio festeggi* invitati
        zh: 派对 婚礼 庆祝 聚会 纪念日
        ja: パーティー 結婚式 お祝い 記念日
    """,
    "bereavement": """
        en: died passed_away death funeral* mourning deceased
        pt: morreu faleceu falecid* falecimento luto enterro velório
        es: murió falleció entierro fallecido fallecida
        fr: décédé* décès deuil obsèques
        de: gestorben verstorben* beerdigung trauer todesfall
        it: morto_nel deceduto lutto
        zh: 去世 葬礼 过世
        ja: 亡くな 葬儀 葬式
    """,
    # Work.
    "work": """
        en: work works working_at working_for worked job jobs employer* employed employment
            employee* company companies freelanc* self_employed unemployed startup workplace
            coworker* colleague* career
        pt: trabalh* emprego* empregad* empresa empresas desempregad* colega_de_trabalho
            colegas_de_trabalho carreira autónoma autônomo
        es: trabaj* empleo empleado empleada empleador desempleado compañero_de_trabajo
            carrera_profesional
        fr: travail travaille travailler emploi employeur* entreprise* boulot chômage indépendant
        de: arbeit arbeiten arbeitet arbeitgeber* unternehmen beruflich selbständig selbstständig
            kollege* kollegin*
        it: lavoro lavora lavorare lavori azienda aziende impiego datore_di_lavoro colleghi
        zh: 工作 公司 上班 就业 雇主 同事 职场
        ja: 仕事 会社 勤務 勤め 転職 同僚 働い 働く 働き
    """,
    "profession": """
        <work
        en: profession professions occupation* job_title teacher* nurse nurses engineer engineers
            lawyer* accountant* developer* architect architects journalist* photographer*
            electrician* scientist* researcher* salesperson hairdresser* dentist plumber*
            translator* consultant* carpenter* baker pharmacist* psychologist* entrepreneur* ceo
            cto cfo founder designer designers professor professors an_intern internship*
        pt: profissão profissões enfermeir* engenheir* advogad* contabilista* programador*
            cozinheir* jornalista* eletricista* cientista* vendedor* cabeleireir* dentista
            tradutor* estagiári* fundador* padeir* professora professores contador contadora
            fotógrafo fotógrafa arquiteto arquiteta arquitecto arquitecta consultor consultora
            psicólogo psicóloga empresário empresária
        es: profesión profesor profesora profesores maestro maestra abogad* diseñador* contable
            desarrollador* cociner* periodista* peluquer* traductor* becari* a_qué_se_dedica
            se_dedica_a puesto_de_trabajo panadero panadera ingeniero ingeniera enfermero
            enfermera
        fr: métier infirmi* ingénieur* comptable* architecte enseignant* professeur* développeu*
            graphiste cuisinier boulanger avocate
        de: beruf berufe lehrer* krankenschwester pfleger* anwalt* entwickler* bäcker buchhalter*
            architekt architektin
        it: professione mestiere insegnante infermier* avvocat* architetto giornalista
            commercialista sviluppator* ingegnere
        zh: 职业 老师 护士 工程师 律师 设计师 会计 医生 程序员 厨师 记者
        ja: 職業 教師 看護師 エンジニア 弁護士 デザイナー 会計士 職種
    """,
    "position": """
        <work
        en: job_title role position seniority manager_of head_of team_lead responsible_for
            in_charge_of
        pt: cargo responsável_por encarregad* chefia gerente
        es: responsable_de encargad* puesto_de su_puesto
        de: zuständig verantwortlich
        it: ruolo responsabile incarico
        zh: 职位 职务 负责
        ja: 役職 担当 肩書き
    """,
    "manager": """
        en: boss bosses manager managers supervisor* reports_to line_manager
        pt: chefe chefes gerente gerentes patrão patroa reporta_a gestor gestora
        es: jefe jefa jefes
        fr: patronne supérieur_hiérarchique n_#_hiérarchique
        de: chefin vorgesetzt*
        it: capo_ufficio superiore_diretto
        zh: 老板 上司 经理
        ja: 部長 社長 マネージャー
    """,
    "team": """
        en: team teams teammate* squad staff headcount department departments
        pt: equipe equipes equipa equipas departamento*
        es: equipo equipos plantilla
        de: abteilung* mannschaft
        it: squadra
        zh: 团队 部门 同事
        ja: チーム 部署 同僚
    """,
    "office": """
        <work
        en: office offices headquarters hq coworking work_from_home works_from_home
            working_from_home remote remotely hybrid home_office on_site in_the_office
        pt: escritório* sede remoto remota remotamente híbrido presencial teletrabalho
            trabalha_de_casa trabalha_em_casa
        es: oficina oficinas despacho teletrabajo desde_casa
        fr: bureau bureaux siège_social télétravail
        de: büro büros homeoffice firmensitz
        it: ufficio uffici smart_working
        zh: 办公室 总部 远程 居家办公
        ja: オフィス 事務所 本社 在宅 リモート
    """,
    "working_hours": """
        <work
        en: working_hours work_hours office_hours business_hours opening_hours part_time full_time
            night_shift day_shift shift shifts four_day_week overtime
        pt: horário_de_trabalho horário_de_funcionamento expediente turno turnos meio_período
            tempo_inteiro tempo_parcial hora_extra horas_extras plantão
        es: horario_laboral horario_de_trabajo jornada media_jornada turno_de_noche horas_extra
        fr: horaires_de_travail temps_partiel temps_plein mi_temps
        de: arbeitszeit* teilzeit vollzeit schicht öffnungszeiten überstunden
        it: orario_di_lavoro tempo_pieno turni straordinari
        zh: 上班时间 兼职 全职 夜班 加班 营业时间
        ja: 勤務時間 営業時間 夜勤 残業 パートタイム
    """,
    "salary": """
        en: salary salaries wage wages paycheck payslip income bonus compensation earns pay_rise
            payday
        pt: salário* remuneração ganha_por_mês décimo_terceiro subsídio_de_férias ordenado_mensal
            o_ordenado
        es: sueldo* nómina remuneración paga_extra
        fr: salaire* rémunération fiche_de_paie
        de: gehalt gehälter lohn einkommen vergütung
        it: stipendio busta_paga reddito tredicesima
        zh: 工资 薪水 收入 薪资 奖金
        ja: 給料 年収 月給 給与 ボーナス
    """,
    "job_search": """
        <work
        en: cv job_interview job_offer job_hunting job_hunt hiring recruiter* applied_for
            cover_letter notice_period her_resume his_resume your_resume interviewing
        pt: currículo* entrevista_de_emprego vaga_de vagas candidatura* recrutador* aviso_prévio
            procura_emprego
        es: entrevista_de_trabajo reclutador* busca_trabajo preaviso currículum
        fr: entretien_d_embauche candidature* recruteur*
        de: lebenslauf bewerbung* vorstellungsgespräch kündigungsfrist
        it: colloquio_di_lavoro preavviso
        zh: 简历 面试 求职 招聘
        ja: 履歴書 面接 就活 採用
    """,
    "time_off": """
        <work
        en: time_off day_off days_off vacation* annual_leave sick_leave pto paid_leave sabbatical
            out_of_office ooo on_leave on_holiday on_holidays
        pt: férias folga folgas dia_de_folga de_férias licença_médica baixa_médica
            fora_do_escritório ano_sabático
        es: vacaciones día_libre días_libres baja_médica permiso_retribuido fuera_de_la_oficina
        fr: congé congés vacances arrêt_maladie
        de: urlaub urlaubs* krankgeschrieben freier_tag
        it: ferie giorno_libero vacanza vacanze congedo in_malattia
        zh: 休假 请假 年假
        ja: 休暇 有給 休み 休業
    """,
    "business_trip": """
        <travel
        en: business_trip business_trips work_trip work_trips travel_expenses
        pt: viagem_de_trabalho viagem_de_negócios viagens_de_trabalho deslocação_em_serviço
        es: viaje_de_trabajo viaje_de_negocios viajes_de_trabajo
        fr: voyage_d_affaires déplacement_professionnel
        de: dienstreise* geschäftsreise*
        it: viaggio_di_lavoro viaggio_d_affari trasferta
        zh: 出差
        ja: 出張
    """,
    "meeting": """
        en: meeting meetings meet_up standup stand_up one_on_one retrospective all_hands kickoff
            kick_off catch_up
        pt: reunião reuniões encontro_de_equipe pauta retrospectiva
        es: reunión reuniones reunirse reunirnos orden_del_día
        fr: réunions ordre_du_jour
        de: besprechung* sitzung sitzungen tagesordnung
        it: riunione riunioni incontro ordine_del_giorno
        zh: 会议 开会 例会
        ja: 会議 打ち合わせ ミーティング 面談
    """,
    "calendar": """
        en: calendar calendars appointment* schedule schedules scheduled scheduling reschedul*
            time_slot time_slots booked_for google_calendar agenda
        pt: calendário* agendar agendad* agendamento* marcação marcações compromisso* marcar_hora
            remarcar consulta_marcada
        es: cita citas cita_previa concertar reprogramar programado programada
        fr: calendrier rendez_vous rdv
        de: kalender* termin terminplan
        it: appuntament*
        zh: 日程 预约 日历
        ja: 予約 予定 カレンダー スケジュール
    """,
    "deadline": """
        en: deadline* due_by due_on is_due overdue submit_by no_later_than expires expiry
            expiration expire due_date due_next
        pt: prazo prazos data_limite data_de_entrega entregar_até vence até_sexta expira
        es: plazo plazos fecha_límite fecha_de_entrega caduca a_más_tardar
        fr: échéance* date_limite délai délais
        de: frist fristen abgabetermin spätestens fällig läuft_ab
        it: scadenza scadenze entro_il scade
        zh: 截止 期限 最后期限 到期
        ja: 締め切り 締切 納期
    """,
    "decision": """
        en: decision decisions decided decide decides agreed_on chose chosen settled_on opted_for
            we_picked ruled_out
        pt: decisão decisões decidiu decidido decidimos decidiram decidir optou optámos escolhid*
            escolheu escolhemos ficou_decidido ficou_combinado
        es: decisiones decidió decidieron optó eligió elegimos acordamos se_acordó
        fr: choisi décider
        de: entscheidung* entschieden beschlossen beschluss entscheiden
        it: decisione decisioni deciso scelto decidere
        zh: 决定 决策 选择了
        ja: 決定 決めた 決まった 決断
    """,
    "project": """
        en: project projects roadmap milestone* backlog sprint sprints kanban scrum side_project
            tasks task to_do_list to_dos
        pt: tarefa tarefas pendência* afazeres projeto projetos projecto projectos
        es: hoja_de_ruta hito hitos tarea tareas pendientes proyecto proyectos
        fr: projet projets feuille_de_route tâche tâches
        de: aufgabe aufgaben meilenstein* projekt projekte projekten
        it: progetto progetti attività_da_svolgere compito_di tappa
        zh: 项目 任务 里程碑 待办
        ja: プロジェクト タスク
    """,
    "customer": """
        en: customer* client clients clientele prospect prospects crm
        pt: freguês
        pt+es: cliente clientes clientela
        de: kunde kunden kundin auftraggeber
        it: clienti
        zh: 客户 顾客
        ja: 顧客 クライアント 取引先 お客
    """,
    "supplier": """
        en: supplier* vendor vendors wholesaler* distributor* manufacturer* contractor*
            supply_chain
        pt: fornecedor* grossista atacadista distribuidor* fabricante*
        es: proveedor* mayorista
        fr: fournisseur* grossiste fabricant
        de: lieferant* großhändler hersteller
        it: fornitor* produttore
        zh: 供应商 批发 厂家
        ja: 仕入れ 仕入先 業者 メーカー
    """,
    "business": """
        en: small_business business_name tax_id registered_company sole_trader own_business
            family_business revenue turnover profit owns_a_shop owns_a_business runs_a_business
            runs_a_shop runs_a_bakery
        pt: negócio negócios razão_social cnpj nipc empresa_familiar microempreendedor mei ltda
            loja_própria dona_de dono_de faturamento faturação lucro
        es: razón_social propio_negocio dueña_de dueño_de pyme facturación
        fr: chiffre_d_affaires auto_entrepreneur sarl siret
        de: kleinunternehmer geschäftsführer* umsatz gewerbe eigenes_geschäft
        it: attività_in_proprio ragione_sociale fatturato partita_iva
        zh: 生意 创业 营业额 营业执照
        ja: 自営業 起業 売上 経営
    """,
    "meeting_notes": """
        en: meeting_notes meeting_minutes summary summaries transcript* action_items action_item
            recap takeaways notes_from minutes_taken
        pt: ata atas notas_da_reunião resumo resumos transcrição resumir
        es: acta actas notas_de_la_reunión resumen resúmenes transcripción
        fr: compte_rendu procès_verbal résumé
        de: protokoll protokolle zusammenfassung* mitschrift
        it: verbale riassunto riepilogo appunti
        zh: 会议记录 纪要 总结 摘要
        ja: 議事録 要約
    """,
    "goal": """
        en: goal goals objective objectives okr okrs resolutions ambition* wants_to hopes_to
            saving_for dreams_of dream_is bucket_list new_year_resolution
        pt: meta metas objetivo* objectivo* sonho sonha_em quer_aprender pretende ambição
        es: sueña_con quiere_aprender propósitos ambición
        fr: objectif objectifs rêve_de souhaite
        de: ziel ziele vorsatz vorsätze träumt_von
        it: obiettivo obiettivi sogna_di proposito_per
        zh: 目标 梦想
        ja: 目標 目指 将来の夢 夢は
    """,
    "skill": """
        en: skill skills skilled expertise expert_in good_at certified certification* knows_how_to
            certificate certificates
        pt: especialista perito sabe_fazer certificação habilidad* certificado certificada
            competências
        es: experto experta certificación sabe_hacer
        fr: compétence* expert
        de: fähigkeit* kenntnisse zertifikat zertifiziert
        it: competenz* abilità esperto certificato
        zh: 技能 特长 擅长 证书
        ja: スキル 特技 資格 得意
    """,
    "writing_style": """
        en: writing_style tone_of_voice concise concisely bullet_points bullet_point short_answers
            short_sentences long_answers plain_language plain_english informal formal emojis emoji
            jargon verbose brevity wordy straight_to_the_point exclamation_marks sign_off
            how_long_should length_of_replies answer_length long_replies short_replies
        pt: tom_formal tom_informal conciso concisa concisas respostas_curtas frases_curtas
            respostas_longas linguagem_simples direto_ao_ponto tópicos jargão estilo_de_escrita
            tom_de_voz respostas_breves
        es: tono_formal tono_informal respuestas_cortas frases_cortas lenguaje_sencillo al_grano
            viñetas jerga estilo_de_escritura respuestas_breves
        fr: concis réponses_courtes style_d_écriture ton_formel
        de: kurz_und_knapp knapp stichpunkte förmlich schreibstil kurze_antworten
        it: risposte_brevi stile_di_scrittura tono_formale elenco_puntato
        zh: 简洁 语气 文风 简短 表情符号
        ja: 簡潔 敬語 文体 口調 絵文字
    """,
    # Health and body.
    "health": """
        en: health healthy healthcare medical illness illnesses disease* symptom* chronic surgery
            operation_on injur* physiotherap* physical_therapy diagnosis diagnosed is_sick
            falls_sick recovering
        pt: saúde doença* doente sintoma* crônic* cirurgia* fisioterap* lesão lesões diagnóstico
            diagnosticado diagnosticada operado operada histórico_médico enfermidade
        es: salud enfermedad* enfermo enferma cirugía* lesión lesiones operaron historial_médico
        fr: santé maladie* malade chirurgie blessure
        de: gesundheit* krankheit* krank chronisch* verletz*
        it: salute malattia malattie malato sintomi infortunio
        zh: 健康 疾病 生病 手术 症状 病史
        ja: 病気 手術 持病 怪我
    """,
    "condition": """
        <health
        en: diabet* asthma* migraine* epilep* hypertension high_blood_pressure blood_pressure
            cholesterol arthritis back_pain cancer eczema psoriasis thyroid heart_condition
            heart_disease anaemia anemia adhd autis* dyslexi* ibs
        pt: asma enxaqueca* hipertens* pressão_alta tensão_alta colesterol artrite dor_nas_costas
            cancro psoríase tiroide tireoide problema_cardíaco tdah dislexi* refluxo rinite
        es: migraña* tensión_alta artritis dolor_de_espalda eccema tiroides reflujo
        fr: asthme
        de: zuckerkrank* migräne bluthochdruck rückenschmerzen schilddrüse
        it: emicrania ipertensione colesterolo mal_di_schiena
        zh: 糖尿病 哮喘 偏头痛 高血压 胆固醇 癫痫
        ja: 喘息 片頭痛 高血圧 頭痛 腰痛
    """,
    "allergy": """
        <health
        en: allerg* anaphyla* epipen hay_fever antihistamine* peanut peanuts pollen penicillin
            shellfish bee_sting dust_mites intoler*
        pt: alerg* anafila* amendoim amendoins pólen penicilina marisco camarão anti_histamínico
            ácaros rinite_alérgica
        es: cacahuete* antihistamínico al_maní el_maní
        fr: arachide* pénicilline
        de: unverträglich* heuschnupfen erdnuss*
        it: intolleran* arachidi polline penicillina
        zh: 过敏 花粉 花生 青霉素
        ja: アレルギー ピーナッツ ペニシリン
    """,
    "medication": """
        <health
        en: medication* pill pills prescription* dosage insulin ibuprofen paracetamol
            acetaminophen aspirin antibiotic* inhaler antidepressant* pharmacy statin statins
            painkiller* contraceptive penicillin metformin medicin* supplements vitamin vitamins
            #mg #_mg
        pt: medicação medicament* remédio* comprimido* receita_médica insulina ibuprofeno dipirona
            aspirina bombinha inalador antidepressiv* vitamina* suplemento* farmácia* penicilina
            anticoncepcional pílula
        es: medicación pastilla* receta_médica inhalador antidepresiv*
        fr: ordonnance insuline antibiotique* pharmacie comprimés
        de: medikament* arznei* apotheke* schmerzmittel antibiotik* tabletten
        it: pillola pastiglia farmaco farmaci
        zh: 药物 吃药 药店 处方 胰岛素 维生素 抗生素 薬
        ja: 服用 薬局 処方 インスリン ビタミン サプリ
    """,
    "doctor": """
        <health
        en: gp physician* pediatrician* paediatrician* gynaecologist* gynecologist* dentist*
            orthodontist clinic clinics check_up checkup medical_appointment optician hospital
            dermatólog* cardiólog* doctor doctors hospitals family_doctor
        pt: médico médica médicos pediatra* hospitais clínica clínicas consulta_médica ortopedista
            oftalmologista posto_de_saúde centro_de_saúde médico_de_família ginecólog* doutor
            doutora
        es: traumatólogo centro_de_salud médico_de_cabecera oculista doctora doctores hospitales
        fr: médecin* docteur hôpital pédiatre clinique
        de: arzt ärztin ärzte hausarzt hausärztin zahnarzt zahnärztin kinderarzt kinderärztin
            krankenhaus klinik
        it: ospedale dottore dottoressa
        zh: 医生 医院 牙医 诊所 看病
        ja: 医者 病院 歯医者 歯科 医師 主治医 クリニック
    """,
    "blood_type": """
        <health
        en: blood_type blood_types blood_group blood_groups o_positive o_negative a_positive
            a_negative b_positive b_negative ab_positive ab_negative rh_negative rh_positive
            blood_donor
        pt: tipo_sanguíneo tipo_de_sangue grupo_sanguíneo o_positivo o_negativo a_positivo
            a_negativo b_positivo ab_negativo rh_negativo dador_de_sangue doador_de_sangue
        es: tipo_de_sangre donante_de_sangre
        fr: groupe_sanguin
        de: blutgruppe*
        it: gruppo_sanguigno
        zh: 血型
        ja: 血液型
    """,
    "vaccine": """
        <health
        en: vaccin* booster_shot flu_shot jab immunis* immuniz* covid
        pt: vacina* dose_de_reforço
        es: vacuna*
        de: geimpft impfung impfungen
        zh: 疫苗 接种
        ja: ワクチン 予防接種
    """,
    "mental_health": """
        <health
        en: mental_health psychotherap* anxiety anxious depress* burnout panic_attack
            panic_attacks mindfulness psychiatrist* medita* thérap* psycholog* counsellor
            counselor counselling counseling stress stressed
        pt: saúde_mental terapeuta* terapia ansiedade ansios* estresse esgotamento psicólog*
            psiquiatra* ataque_de_pânico
        es: salud_mental ansiedad depresi* estrés
        fr: santé_mentale anxiété
        de: psychisch* angststörung
        it: salute_mentale ansia
        zh: 心理 焦虑 抑郁 冥想
        ja: 不安症 ストレス 瞑想 カウンセリング 心療 うつ病
    """,
    "fear": """
        en: afraid fears phobia* scared scares frightened terrified claustrophob* arachnophob*
            acrophobia fear
        pt: medo medos fobia* pavor aterrorizad* claustrofob*
        es: miedo miedos pánico_a terror_a
        fr: peur phobie* effrayé
        de: angst ängste fürchtet
        it: paura paure fobie
        zh: 害怕 恐惧 恐高
        ja: 怖い 苦手 恐怖症 高所
    """,
    "sleep": """
        en: sleep sleeps sleeping slept asleep bedtime insomnia nap naps wakes_up wake_up wakes
            gets_up goes_to_bed early_riser mattress pillow snores night_owl
        pt: insônia sesta soneca deita_se levanta_se travesseiro almofada ronca colchão dormir
            dorme dormem dormindo com_sono do_sono de_sono horas_de_sono acorda acordam
            acordar_cedo se_acorda
        es: duerm* insomnio siesta se_acuesta se_levanta almohada colchón dormido despierta
            despertarse madruga
        fr: sommeil insomnie se_couche se_lève sieste oreiller elle_dort il_dort
        de: schläft aufsteh* steht_auf geht_ins_bett kissen matratze schlafen schlaf
            schlafstörungen
        it: dormire sonno insonnia si_sveglia sveglia cuscino
        zh: 睡觉 睡眠 失眠 起床 早睡 午睡 枕头
        ja: 寝る 早起き 起きる 不眠 昼寝 枕
    """,
    "smoking": """
        en: non_smoking cigarette* vaping tobacco quit_smoking nicotine vape smoke smokes smoking
            smoker smokers vapes cigar cigars
        pt: cigarr* tabaco nicotina fuma fumam fumar fumante fumador fumadora
        es: vapea* fuman
        fr: fume fumer fumeur* tabac
        de: zigarette* nichtraucher* rauchen raucht raucher
        it: fumare fumatore sigarett* tabacco
        zh: 抽烟 吸烟 香烟 戒烟
        ja: 喫煙 禁煙 タバコ たばこ 煙草
    """,
    "vision": """
        en: glasses eyeglasses contact_lens contact_lenses eyesight near_sighted nearsighted
            short_sighted far_sighted astigmatism colour_blind color_blind blind varifocals
            sunglasses dioptres diopters optician reading_glasses myop*
        pt: óculos lentes_de_contacto lentes_de_contato míop* astigmatismo daltónic* oculista
            oftalmologista cego cega cegos
        es: gafas lentillas anteojos graduación ciego ciega ciegos lentes
        fr: lunettes lentilles_de_contact daltonien* aveugle
        de: brille brillen kontaktlinse* kurzsichtig* weitsichtig* farbenblind sehstärke
        it: occhiali lenti_a_contatto
        zh: 眼镜 近视 隐形眼镜 色盲 视力
        ja: 眼鏡 メガネ コンタクトレンズ 近視 視力 色覚
    """,
    "hearing": """
        en: deaf hard_of_hearing hearing_aid hearing_aids hearing_loss subtitles sign_language
            lip_reading tinnitus
        pt: aparelho_auditivo perda_auditiva legendas língua_gestual língua_de_sinais zumbido
            surdo surda surdez língua_brasileira_de_sinais
        es: audífono* subtítulos lengua_de_signos lengua_de_señas sordo sorda sordera
        fr: sourd* malentendant* appareil_auditif sous_titres
        de: schwerhörig* hörgerät* gehörlos* untertitel
        it: apparecchio_acustico sottotitoli
        zh: 听力 助听器 耳聋
        ja: 補聴器 難聴 聴力 手話
    """,
    "handedness": """
        en: left_handed right_handed left_hander lefty southpaw dominant_hand ambidextrous
            writes_with_her_left writes_with_his_left
        pt: canhot* esquerdin* ambidestr* mão_dominante destro destra
        es: zurd* diestr* ambidiestr* mano_dominante
        fr: gaucher gauchère droitier droitière
        de: linkshänd* rechtshänd*
        it: mancino mancina
        zh: 左撇子 右撇子 惯用手
        ja: 左利き 右利き 利き手
    """,
    "accessibility": """
        en: wheelchair* step_free disabled screen_reader screen_readers large_print braille
            crutches walking_stick dyslexi* high_contrast accessib* disabil* reduced_mobility
        pt: cadeira_de_rodas acessív* acessibilidade leitor_de_tela leitor_de_ecrã braile muletas
            bengala letra_grande dislexi* deficiência deficiente deficientes rampa
            mobilidade_reduzida
        es: silla_de_ruedas discapaci* movilidad_reducida lector_de_pantalla bastón accesible
            accesibilidad
        fr: fauteuil_roulant handicap* béquilles lecteur_d_écran mobilité_réduite
        de: rollstuhl* barrierefrei* behinder* schwerbehinder* screenreader
        it: sedia_a_rotelle stampelle
        zh: 轮椅 无障碍 残疾 读屏
        ja: 車椅子 車いす バリアフリー 障害者 点字
    """,
    "body_measurements": """
        en: weighs tall cm kilos kg waist inseam chest_size hip_size measurements bmi inches
            how_tall height weight lbs
        pt: altura peso pesa quilos cintura quadril anca medidas_do_corpo quanto_mede quanto_pesa
            suas_medidas
        es: estatura cadera cuánto_mide cuánto_pesa sus_medidas
        fr: taille_en_cm poids mesure_#
        de: körpergröße gewicht wiegt
        it: altezza alto_#
        zh: 身高 体重 厘米 公斤 腰围
        ja: 身長 センチ ウエスト
    """,
    "beauty": """
        en: haircut* hairdresser* barber makeup make_up lipstick skincare skin_care shampoo
            conditioner perfume* fragrance* moisturiser moisturizer sunscreen nail_polish manicure
            hair_dye dyes_her_hair razor shav* curly_hair beard tattoo* cosmétic*
        pt: cabelo* corte_de_cabelo cabeleireir* barbeiro barbearia maquiagem maquilhagem batom
            creme_hidratante protetor_solar champô verniz esmalte tatuage* barba barbear pele_seca
            pele_sensível unhas
        es: cabello pelo_rizado corte_de_pelo peluquer* barbero maquillaje pintalabios
            crema_hidratante protector_solar champú manicura tatuaje* afeitar piel_sensible
            piel_seca las_uñas
        fr: coiffeur coiffeuse cheveux maquillage parfum* shampooing crème_solaire barbe tatouage*
        de: friseur* haare haarschnitt schminke sonnencreme bart rasier* tätowier*
        it: parrucchier* capelli trucco profumo profumi tatuagg* crema_solare
        zh: 理发 化妆 护肤 香水 洗发水 口红 头发 纹身
        ja: 髪 美容院 化粧 スキンケア シャンプー 日焼け止め
    """,
    # Food and drink.
    "food": """
        en: food foods eat eats eating meal meals dishes snack snacks groceries cuisine cuisines
            main_course
        pt: comida comidas comer comem refeição refeições prato pratos petisco* lanche lanches
            culinária fome gostos_alimentares come_carne ele_come ela_come come_de
        es: comen plato platos merienda* bocadillo cocina_italiana hambre alimento*
        fr: manger mange nourriture repas plat plats goûter
        de: essen isst mahlzeit* speise*
        it: mangiare mangia cibo cibi piatto piatti pasto pasti
        zh: 食物 吃 美食 饭菜 菜系
        ja: 食べ 料理 食事 食べ物 ご飯
    """,
    "meals": """
        <food
        en: breakfast* lunch* dinner* supper brunch english_breakfast
        pt: café_da_manhã pequeno_almoço almoço* almoça* jantar jantares janta ceia
        es: desayun* almuerzo* almorzar cenar la_cena de_cena para_cenar
        fr: petit_déjeuner déjeuner dîner
        de: frühstück* mittagessen abendessen
        it: colazione pranzo pranzi cene per_cena
        zh: 早餐 午餐 晚餐 早饭 午饭 晚饭
        ja: 朝食 昼食 夕食 朝ごはん 昼ごはん 夕飯 ランチ 弁当
    """,
    "diet": """
        <food
        en: diet diets vegan* pescatarian* flexitarian lactose_free lactose_intolerant gluten_free
            dairy_free sugar_free halal kosher keto low_carb plant_based fasting
            intermittent_fasting doesn_t_eat does_not_eat don_t_eat never_eats no_pork coeliac
            low_salt calorie* dieta* celíac* vegetari*
        pt: dietétic* pescetarian* sem_lactose sem_glúten sem_açúcar cetogênica não_come não_comem
            restrição_alimentar restrições_alimentares jejum calorias baixo_carboidrato sem_sal
            comer_carne
        es: sin_lactosa sin_gluten sin_azúcar no_come no_comen restricciones_alimentarias ayuno
        fr: végétalien* sans_gluten sans_lactose ne_mange_pas régime_alimentaire au_régime
        de: laktosefrei glutenfrei isst_kein isst_keine isst_keinen ernährung* zuckerfrei diät
            diäten
        it: senza_glutine senza_lattosio non_mangia
        zh: 饮食 素食 吃素 清真 不吃 无糖 忌口
        ja: ベジタリアン ヴィーガン 菜食 食べられない 食事制限 ダイエット 糖質制限
    """,
    "dairy": """
        <food
        en: dairy lactose milk cheese* yoghurt* butter cream_cheese whole_milk oat_milk soy_milk
            almond_milk yogur*
        pt: laticínio* lacticínio* leite queijo* iogurte* manteiga natas requeijão
        es: lácteo* lactosa leche queso* mantequilla con_nata
        fr: laitage* lait fromage* yaourt* beurre
        de: milch* laktose käse joghurt* quark
        it: latticin* lattosio latte formaggi* il_burro al_burro
        zh: 牛奶 乳糖 奶酪 酸奶 黄油 豆浆
        ja: 牛乳 チーズ ヨーグルト バター 豆乳 乳製品
    """,
    "bread_and_grains": """
        <food
        en: gluten bread wheat flour pasta noodles rice cereal oats oatmeal porridge sourdough
            bagel* toast coeliac quinoa celíac*
        pt: pão pães trigo farinha massa_integral macarrão arroz cereais aveia torrada*
            fermento_natural padaria
        es: harina fideos cereales avena tostada* masa_madre panadería pan_integral el_pan
        fr: blé farine pâtes riz avoine boulangerie du_pain le_pain
        de: brot weizen mehl nudeln hafer* brötchen zöliakie
        it: glutine frumento farina riso grano il_pane
        zh: 麸质 面包 面粉 面条 米饭 小麦
        ja: グルテン パン屋 麺 ごはん そば うどん 食パン パンが パンを
    """,
    "meat": """
        <food
        en: meat meats beef pork chicken steak* bacon ham lamb turkey_breast sausage* barbecue bbq
            veal vegan* meatballs vegetari* burgers hamburger hamburgers veggie_burger
        pt: carne carnes bife* porco frango presunto cordeiro linguiça churrasco* picanha
            hambúrguer* salsicha*
        es: cerdo ternera pollo jamón cordero filete* chorizo barbacoa hamburguesa* salchicha*
        fr: viande* boeuf porc poulet jambon agneau saucisse*
        de: fleisch* rindfleisch schweinefleisch hähnchen schinken wurst
        it: maiale manzo prosciutto agnello salsicc*
        zh: 牛肉 猪肉 鸡肉 羊肉 吃肉 素食 火腿 肉
        ja: 豚肉 鶏肉 焼肉 菜食
    """,
    "fish_and_seafood": """
        <food
        en: fish fishes seafood shellfish salmon tuna shrimp* prawn* sushi oyster* lobster crab
            sardine* pescatarian* anchov*
        pt: peixe* frutos_do_mar marisco* salmão atum bacalhau camarão camarões ostra* lagosta
            sardinha* pescetarian*
        es: atún bacalao gambas camarones langosta pulpo sardinas pescado pescados
        fr: poisson* fruits_de_mer saumon thon crevette* huître* crustacés
        de: fisch fische meeresfrüchte lachs thunfisch garnele* muscheln
        it: pesce frutti_di_mare salmone tonno gamberi crostacei
        zh: 海鲜 三文鱼 吃鱼 虾 螃蟹 寿司
        ja: 魚 刺身 海老 エビ 蟹 鮭 海鮮
    """,
    "nuts": """
        <food
        en: nut nuts peanut* almond* walnut* hazelnut* cashew* pistachio* peanut_butter
        pt: amendoim amendoins amêndoa* noz nozes avelã* castanha* pistache pistácio frutos_secos
        es: cacahuete* almendra* nuez nueces avellana* anacardo* pistacho* el_maní al_maní
        fr: noix arachide* amande* noisette*
        de: nuss* erdnuss* mandeln haselnuss*
        it: noci nocciol* mandorle arachidi pistacchi* frutta_secca
        zh: 坚果 花生 杏仁 核桃
        ja: ナッツ ピーナッツ アーモンド くるみ
    """,
    "sweets": """
        <food
        en: dessert* cake cakes ice_cream cookie cookies biscuit* candy candies sweets sugar
            sweet_tooth pastry pastries pie_crust cheesecake brownie* chocolat* jam honey
            danish_pastry
        pt: sobremesa* bolo bolos sorvete* gelado* biscoito* bolacha* açúcar pastel_de_nata
            pastéis_de_nata brigadeiro* geleia guloseima* pudim doces com_mel
        es: postre* pasteles tarta tartas helado* galleta* dulces azúcar golosina* miel mermelada
            churros flan pastel_de
        fr: gâteau* glace_à sucre bonbon* confiture
        de: nachtisch* schokolade* kuchen torte eis_essen kekse zucker süßigkeit* süßes
        it: dolci cioccolat* torta gelato gelati zucchero biscotti tiramisù
        zh: 甜点 巧克力 蛋糕 冰淇淋 糖果 甜食
        ja: デザート チョコ ケーキ アイスクリーム 甘い お菓子 砂糖 スイーツ
    """,
    "spices": """
        <food
        en: spicy spice spices chilli* chili hot_sauce garlic onion onions cilantro coriander
            curry ginger mustard wasabi salt_and_pepper
        pt: picante* pimenta* tempero* condimento* alho cebola* coentro* caril gengibre mostarda
            apimentad* especiarias
        es: especia especias chile_picante ajo cebolla* jengibre mostaza ají jalapeño*
        fr: épices ail oignon* coriandre gingembre épicé épicée piment piments
        de: scharf gewürz* knoblauch zwiebel* koriander ingwer senf
        it: piccante spezie peperoncino aglio cipoll* coriandolo zenzero
        zh: 辣 香菜 大蒜 洋葱 调料 葱姜
        ja: 辛い 辛口 香辛料 にんにく 玉ねぎ パクチー わさび カレー
    """,
    "fruit_and_vegetables": """
        <food
        en: fruit fruits vegetable* veggies banana* strawberr* blueberr* avocado* tomato* potato*
            mushroom* spinach broccoli carrot* aubergine eggplant grapefruit pineapple* lettuce
            cucumber* olives salad salads mango mangoes apples oranges
        pt: fruta frutas legume* morango* abacate* tomate* batata* cogumelo* espinafre* brócolis
            brócolos cenoura* beringela* berinjela* abacaxi ananás alface pepino azeitona* verdur*
            salada saladas maçãs laranjas
        es: ensalada* plátano* fresa fresas aguacate* patata* champiñon* setas espinaca* brócoli
            zanahoria* berenjena* piña lechuga aceituna* manzana manzanas naranjas
        fr: salade* banane* fraise* pomme_de_terre champignon* pommes
        de: obst gemüse erdbeer* kartoffel* pilze spinat äpfel salat
        it: frutta insalat* fragol* pomodor* patate funghi spinaci
        zh: 水果 蔬菜 沙拉 香蕉 草莓 西红柿 土豆 蘑菇
        ja: 果物 野菜 サラダ バナナ いちご トマト きのこ りんご じゃがいも
    """,
    "cuisine": """
        <food
        en: restaurant* eat_out eats_out eating_out takeaway takeout sushi ramen pizza* pizzeria
            taco tacos burrito* dim_sum curry vietnamese lebanese indian_food italian_food
            chinese_food mexican_food japanese_food thai_food ethiopian tapas kebab falafel hummus
            pasta bistro steakhouse food_delivery thai italian_restaurant french_restaurant
            chinese_restaurant japanese_restaurant indian_restaurant french_food spanish_food
            korean_food italian_cuisine chinese_takeaway french_fries
        pt: comer_fora jantar_fora churrascaria rodízio tasca* feijoada comida_italiana
            comida_japonesa comida_indiana comida_mexicana comida_chinesa comida_tailandesa
            cozinha_italiana take_away
        es: comer_fuera cenar_fuera comida_para_llevar paella comida_china comida_india arepas
            empanadas ceviche
        fr: crêpe* raclette cuisine_italienne cuisine_chinoise au_resto
        de: gaststätte speiselokal lieferdienst italienisch_essen döner schnitzel
        it: ristorant* trattoria osteria cucina_italiana cucina_giapponese
        zh: 餐厅 饭店 火锅 川菜 粤菜 外卖 拉面 日料 披萨
        ja: 和食 中華 洋食 イタリアン ラーメン レストラン 居酒屋 外食 ピザ 焼き鳥 焼きそば
            日本料理
        all: 🍕 🍣 🍜
    """,
    "cooking": """
        <food
        en: cook cooks cooking cooked bake bakes baking baked recipe recipes air_fryer homemade
            meal_prep
        pt: cozinhar cozinheir* receita_de receitas panela assar culinária marmita* caseiro
            caseira cozinha
        es: cocinar cociner* receta_de recetas olla hornear cocina
        fr: cuisiner cuisinier recette* cuisine
        de: kochen kocht rezepte backen backt selbstgemacht
        it: cucinare cuoco ricetta cucina ricette
        zh: 做饭 烹饪 菜谱 烘焙 下厨
        ja: 料理 自炊 レシピ 手料理
    """,
    "drinks": """
        en: drink drinks drinking beverage* juice juices soda smoothie* lemonade sparkling_water
            still_water tap_water mineral_water soft_drink soft_drinks thirsty
        pt: bebe bebem beber bebida* suco* sumo_de_laranja sumos refrigerante* água_com_gás
            água_sem_gás limonada com_sede
        es: beben zumo* refresco* agua_con_gas agua_sin_gas gaseosa jugo jugos
        fr: boire boit boisson* jus_de jus eau_gazeuse limonade
        de: trinkt trinken getränk* saft säfte sprudel mineralwasser
        it: beve bere bevand* bibit* succo succhi acqua_frizzante acqua_naturale
        zh: 饮料 喝 果汁 汽水
        ja: 飲み物 飲む 飲みます ジュース 炭酸
    """,
    "coffee": """
        <drinks
        en: coffee* espresso* cappuccino* latte lattes flat_white americano_coffee barista
            caffeine* decaf mocha cold_brew black_coffee french_press
        pt: café cafés bica descafeinado cafezinho cafeteira cafeína expresso galão meia_de_leite
            pingado
        es: cafetera cafetería capuchino cafecito café_solo
        fr: cafetière caféine décaféiné
        de: kaffee* koffein* entkoffeiniert milchkaffee
        it: caffè caffeina macchiato decaffeinato
        zh: 咖啡 拿铁 美式咖啡
        ja: コーヒー カフェイン カフェラテ エスプレッソ 珈琲 喫茶
        all: starbucks nespresso ☕
    """,
    "tea": """
        <drinks
        en: tea teas herbal_tea green_tea chamomile camomile earl_grey matcha oolong chai tea_bags
            black_tea english_breakfast_tea
        pt: chá chás chá_verde camomila chimarrão erva_mate infusão
        es: té_verde manzanilla yerba_mate tomar_mate infusión infusiones té_negro té_rojo
            tomar_té bebe_té beber_té taza_de_té
        fr: thés tisane* camomille du_thé thé_vert thé_noir le_thé
        de: kräutertee grüner_tee kamillentee tee schwarzer_tee
        it: tisana camomilla tè_nero una_tazza_di_tè
        zh: 喝茶 绿茶 红茶 茶叶 乌龙茶 奶茶 抹茶
        ja: お茶 紅茶 緑茶 茶道
        all: 🍵
    """,
    "alcohol": """
        <drinks
        en: alcohol* wine wines beer beers whisky whiskey gin vodka rum cocktail* champagne
            prosecco teetotal* sober non_alcoholic brewery winery craft_beer port_wine white_wine
            red_wine house_wine
        pt: vinho* cerveja* uísque gim vodca cachaça caipirinha* espumante champanhe abstémi*
            não_bebe vinho_do_porto alcool*
        es: vino_tinto vino_blanco vinos cerveza* güisqui ginebra tequila cava cóctel cócteles
            no_bebe cervecería sangría bebe_vino copa_de_vino
        fr: vin vins bière* apéritif
        de: alkohol* wein weine bier schnaps sekt
        it: alcol alcolic* vini birra birre spumante aperitivo il_vino del_vino di_vino vino_rosso
            vino_bianco
        zh: 喝酒 啤酒 白酒 红酒 葡萄酒 威士忌
        ja: お酒 ビール ワイン 日本酒 焼酎 ウイスキー 飲酒 下戸
        all: 🍷 🍺
    """,
    # Clothes, shopping and taste.
    "size": """
        en: size sizes sizing wears xs xl xxl xxxl size_s size_m size_l extra_large
        pt: tamanho* veste número_que_calça calça calça_# numeração que_número_calça
        es: talla tallas tamaño* calza calza_#
        fr: taille pointure tailles
        de: kleidergröße schuhgröße konfektionsgröße
        it: taglia taglie numero_di_scarpe
        zh: 尺码 尺寸 码数
        ja: サイズ 寸法
    """,
    "shoes": """
        en: shoe shoes sneaker* boots ankle_boots sandals footwear running_shoes heels slippers
            feet foot eu_# insoles loafers trainers flat_shoes
        pt: sapato* sapatilha* sapatão tênis bota botas sandália* calçado* calça_# calça_o_# pés
            chinelo* salto_alto palmilha* que_número_calça número_de_sapato
        es: zapato* zapatilla* calzado* calza calza_# pies número_de_pie tacones plantillas
        fr: chaussure* pointure bottes sandales
        de: schuhgröße stiefel sandalen turnschuhe schuh schuhe
        it: scarpa scarpe stivali sandali numero_di_scarpe
        zh: 鞋 鞋码 运动鞋 靴子
        ja: 靴 スニーカー ブーツ サンダル
        all: birkenstock 👟
    """,
    "clothes": """
        en: clothes clothing shirt shirts t_shirt t_shirts tshirt coat coats trousers pants jeans
            dress_size dresses skirt* sweater* hoodie* jumper* blouse* suit suits tie underwear
            socks hats outfit* wardrobe wear wears dress_code fashion swimsuit* raincoat* gloves
            scarf belt xl xxl jacket jackets a_hat
        pt: camisa* camiseta* camisola* casaco* jaqueta* calças calça vestido vestidos saia saias
            suéter blusa* moletom terno gravata cueca* meias chapéu veste vestir vestuário moda
            luvas cachecol cinto roupa roupas fatos fato_e_gravata
        es: ropa chaqueta* vaqueros falda* jersey sudadera* traje trajes corbata calcetines
            sombrero viste vestimenta guantes bufanda cinturón pantalon* abrigo abrigos
        fr: vêtement* chemise* robe robes jupe manteau pull_over cravate chaussettes
        de: kleidung kleider hemd hemden hosen mantel kleidergröße pullover socken anzug krawatte
            jacke jacken
        it: vestiti abbigliamento camicia camicie giacca giacche maglia maglione cravatta calzini
        zh: 衣服 衬衫 裤子 外套 裙子 毛衣 穿衣
        ja: 服装 洋服 シャツ ズボン ジャケット スカート 着る 衣類 コートを 靴下
        all: 👕 👗
    """,
    "fabric": """
        en: fabric fabrics cotton wool woollen linen leather silk cashmere polyester synthetic
            suede fleece itchy
        pt: tecido* algodão linho couro seda caxemira poliéster sintétic* camurça pura_lã
        es: tejido* algodón lana lino cuero cachemira
        fr: tissu tissus coton laine lin_lavé cuir soie
        de: stoff stoffe baumwoll* wolle leinen leder seide
        it: tessuto tessuti cotone lino_puro
        zh: 面料 棉 羊毛 皮革 真丝
        ja: 生地 綿 ウール 絹 素材 革製 本革
    """,
    "jewellery": """
        en: jewellery jewelry ring_size necklace* bracelet* earring* engagement_ring wedding_ring
            wristwatch gold silver piercing piercings
        pt: joia* anel anéis aliança* colares pulseira* brinco brincos relógio_de_pulso ouro prata
            um_colar
        es: joyería anillo* alianza collares pulsera* pendientes aretes reloj_de_pulsera oro plata
            joya joyas
        fr: bijou* collier* boucles_d_oreilles bague bagues
        de: schmuck ringgröße halskette ohrring* armband
        it: gioiell* anello anelli collana orecchini bracciale
        zh: 首饰 戒指 项链 耳环 手链
        ja: 指輪 ネックレス ピアス アクセサリー 腕時計
    """,
    "colour": """
        en: colour* color colors blue green yellow purple pink beige turquoise teal navy_blue
            burgundy maroon favourite_colour red black white grey gray orange brown
        pt: cor cores azul azuis verde verdes amarel* roxo roxa cor_de_rosa bege turquesa vermelh*
            preto preta branco branca cinza cinzento laranja castanho marrom
        es: colores azules amarill* morado rojo roja negro negra blanco blanca gris naranja marrón
        fr: couleur* bleu* vert vertes jaune violet rouge noir noire blanc blanche
        de: farbe farben blau grün gelb lila schwarz
        it: colore colori azzurro giallo rosso nero bianco grigio di_blu
        zh: 颜色 蓝色 红色 绿色 黑色 白色 黄色 紫色 粉色
        ja: 好きな色 紫 何色 青い 青色 赤い 赤色 緑色 黒い 黒色
    """,
    "brand": """
        en: brand brands
        pt: grife
        pt+es: marca marcas
        fr: quelle_marque une_marque
        de: marke marken
        it: quale_marca
        zh: 品牌 牌子
        ja: ブランド メーカー
        all: nike adidas reebok asics new_balance zara uniqlo ikea samsung sony philips bosch lego
            patagonia decathlon levis lacoste xiaomi huawei logitech lenovo lindt
    """,
    "shopping": """
        en: shop shops shopping store stores buy buys buying bought supermarket* grocery groceries
            second_hand thrift mall marketplace wish_list shopping_list online_shopping cart
            purchase purchases purchased
        pt: compras comprar compra comprou loja lojas supermercado* mercearia feira_livre
            segunda_mão brechó lista_de_compras carrinho_de_compras
        es: compró tienda tiendas segunda_mano lista_de_la_compra centro_comercial mercadillo
        fr: acheter achat achats magasin magasins supermarché* boutique faire_les_courses
        de: einkauf* kaufen kauft geschäft supermarkt gebraucht laden_in
        it: comprare spesa negozio negozi supermercat* acquisto acquisti acquistare
        zh: 购物 买 超市 商店 网购 淘宝 京东
        ja: 買い物 購入 買う お店 通販 スーパー
        all: amazon ebay vinted etsy olx shopee mercadona lidl aldi carrefour pingo_doce walmart
            costco aliexpress wallapop
    """,
    "delivery": """
        en: delivery deliveries deliver deliver_to courier* shipping ship_to shipped doorstep
            pickup_point pick_up_point parcel_locker leave_it_with leave_packages concierge
            doorman tracking_number postman fedex parcel parcels packages
        pt: entregas entrega_em entregue encomenda* transportadora frete correios estafeta pacote
            pacotes portaria porteiro ponto_de_recolha ponto_de_retirada cacifo código_de_rastreio
            carteiro
        es: entrega envío envíos enviar_a paquete paquetes paquetería repartidor portero conserje
            punto_de_recogida taquilla número_de_seguimiento cartero
        fr: livraison* livrer colis point_relais facteur expédier
        de: paket pakete packstation versand postbote zustellung liefern lieferung lieferungen
            lieferadresse
        it: consegn* spedizion* pacco pacchi corriere portiere postino
        zh: 快递 送货 包裹 配送 驿站 收货
        ja: 配達 宅配 荷物 置き配 届け先
        all: dhl ups inpost 📦
    """,
    "returns": """
        en: refund* return_policy returns_policy send_it_back warranty guarantee repair repairs
            faulty defective money_back return_an_item
        pt: reembolso* devolução devoluções devolver garantias trocar_o_produto troca_de_produto
            conserto defeituos* arrependimento_da_compra garantia
        es: devolución devoluciones devuelve cambio_de_talla reparación defectuos*
        fr: remboursement* rembourser retours garantie échange
        de: rückgabe* rücksendung* erstatt* umtausch* reparatur*
        it: rimborso rimborsi reso resi garanzia riparazione restituire
        zh: 退货 退款 保修 换货 维修
        ja: 返品 返金 保証 交換 修理
    """,
    "gift": """
        en: gift gifts gift_card gift_cards birthday_present wish_list wishlist gift_idea
            gift_ideas as_a_present presents_for
        pt: presentear prenda_de prenda_de_anos prendas lembrancinha lista_de_desejos
            vale_presente de_presente cheque_prenda presente_de_aniversário presente_de_natal
            presentes_de
        es: regalo* regalar lista_de_deseos tarjeta_regalo obsequio*
        fr: cadeau* offrir
        de: geschenk* schenken gutschein*
        it: regali regalare buono_regalo
        zh: 礼物 送礼 礼品
        ja: プレゼント 贈り物 ギフト お土産
        all: 🎁
    """,
    "loyalty": """
        en: loyalty_card loyalty_programme loyalty_program loyalty_points coupon* voucher*
            discount* promo_code frequent_flyer airline_miles cashback membership_card
        pt: cartão_de_fidelidade cartão_cliente pontos_de_fidelidade programa_de_pontos
            programa_de_fidelidade cupom cupons cupão cupões desconto* milhas código_promocional
        es: tarjeta_de_fidelidad programa_de_puntos cupón cupones descuento* millas rebajas
        fr: carte_de_fidélité bon_de_réduction soldes
        de: kundenkarte rabatt* treuepunkte gutschein* bonusprogramm
        it: carta_fedeltà sconto sconti buono_sconto raccolta_punti
        zh: 优惠券 会员卡 积分 折扣 打折
        ja: クーポン ポイントカード 割引 会員証
    """,
    "sustainability": """
        en: sustainab* recycl* eco_friendly fair_trade plastic_free carbon_footprint zero_waste
            composting compost organic
        pt: sustentáv* sustentabilidade recicl* comércio_justo compostagem pegada_de_carbono
            écologi* orgânico orgânicos orgânica
        es: sostenib* compostaje huella_de_carbono
        fr: durable commerce_équitable
        de: nachhaltig* umweltfreundlich* fairtrade
        it: ricicl* biologico
        zh: 环保 可持续 有机 回收
        ja: 環境に優しい オーガニック リサイクル エコバッグ
    """,
    "liking": """
        en: favourite favourites loves adores enjoys enjoy fond_of keen_on fan_of passionate
            crazy_about delights favorit*
        pt: adora adoram ama amam gosta_muito apaixonad* curte preferido preferida preferidos
            preferidas é_fã
        es: adoran encanta encantan apasiona* fan_de
        fr: adore passionné* favori préférée préférées
        de: lieblings* liebt begeister*
        it: appassionat* preferito preferita
        zh: 最喜欢 喜爱 热爱
        ja: お気に入り 大好き
        all: ❤
    """,
    "dislike": """
        en: dislike* hates hate can_t_stand cannot_stand doesn_t_like does_not_like don_t_like
            loathes pet_peeve pet_peeves annoys annoying avoids not_a_fan detests detest
        pt: odeia odeiam detesta* não_gosta não_gostam não_suporta evita não_aguenta desgosta
            abomina déteste irrita
        es: odia odian no_le_gusta no_le_gustan no_soporta molesta
        fr: n_aime_pas ne_supporte_pas évite
        de: hasst mag_nicht mag_kein mag_keine abneigung vermeidet
        it: non_gli_piace non_le_piace non_sopporta
        zh: 讨厌 不喜欢 受不了
        ja: 嫌い 好きではない
    """,
    # Money and paperwork.
    "payment": """
        en: pay pays paying paid credit_card credit_cards debit_card debit_cards visa_card
            mastercard amex cashless instalment* installment* direct_debit wire_transfer payment
            payments cash visa_debit visa_ending
        pt: pagamento* pagar paga pagou pagam cartão_de_crédito cartão_de_débito dinheiro_vivo
            em_dinheiro numerário débito_direto débito_automático parcela* prestações
            transferência_bancária
        es: pago pagos pagan tarjeta_de_crédito tarjeta_de_débito efectivo en_metálico
            domiciliación plazos_sin_intereses cuotas
        fr: paiement* payer paie carte_bancaire carte_bleue espèces prélèvement virement
        de: bezahl* kreditkarte* bargeld lastschrift überweis* rechnungskauf zahlt zahlung
            zahlungsart zahlungsmethode
        it: pagamenti pagare carta_di_credito contanti bonifico
        zh: 支付 付款 信用卡 现金 支付宝 微信支付
        ja: 支払 支払い クレジットカード 現金 決済
        all: paypal pix mb_way mbway multibanco apple_pay google_pay bizum klarna stripe venmo 💳
    """,
    "bank": """
        en: bank banks banking bank_account bank_accounts account_number iban sort_code swift_code
            overdraft savings_account current_account
        pt: conta_bancária banco_onde bancário bancária conta_corrente conta_poupança
            agência_e_conta extrato_bancário chave_pix no_banco
        es: cuenta_bancaria cuenta_corriente cuenta_de_ahorro extracto_bancario mi_banco su_banco
            banco_donde
        fr: banque banques compte_bancaire bancaire
        de: bankkonto kontonummer girokonto sparkasse bankverbindung
        it: banca conto_corrente conto_bancario
        zh: 银行 银行卡 账户余额
        ja: 銀行 口座 振込
        all: revolut nubank n26 santander bbva caixabank millennium_bcp caixa_geral itau bradesco
            barclays hsbc monzo
    """,
    "invoice": """
        en: invoice* billing receipt receipts bill_to billed purchase_order payment_terms net_#
            quote_for estimate_for
        pt: fatura* factura* recibo* nota_fiscal notas_fiscais boleto* cobrança orçamento_para
            dados_de_faturação
        es: presupuesto_para datos_de_facturación albarán
        fr: facture* reçu devis
        de: rechnung* quittung* beleg belege kostenvoranschlag
        it: fattura fatture fatturazione ricevut* scontrino preventivo
        zh: 发票 账单 收据 报销
        ja: 請求書 領収書 見積 明細
    """,
    "tax": """
        en: tax taxes taxation vat tax_return tax_id tax_number accountant*
        pt: iva irs nif cpf cnpj fisco contribuinte receita_federal imposto_de_renda
            declaração_de_irs contabilista* icms imposto impostos
        es: impuesto* irpf hacienda declaración_de_la_renta contribuyente autónomos gestoría
            gestor_fiscal
        fr: tva déclaration_d_impôts impôt impôts fiscal
        de: steuer steuern steuererklärung steuernummer steuerberater* mehrwertsteuer finanzamt
        it: imposte codice_fiscale commercialista dichiarazione_dei_redditi le_tasse
        zh: 税 报税 税号 增值税
        ja: 税金 確定申告 消費税 税理士 納税
    """,
    "insurance": """
        en: insurance* insurer* insured health_plan deductible
        pt: seguro_de seguro_saúde seguro_de_saúde seguros apólice* plano_de_saúde convênio_médico
            adse o_seguro segurad*
        es: seguro_médico póliza* asegurad* mutua el_seguro
        fr: assurance* mutuelle assuré
        de: versicherung* krankenkasse versichert* haftpflicht
        it: assicuraz* polizza polizze assicurat*
        zh: 保险 医保 社保
        ja: 保険 健康保険 国民健康保険
    """,
    "budget": """
        en: budget* pricing cost costs expensive cheap affordable afford price prices
        pt: orçamento* custo custa custam caro quanto_custa gasta gastos gastar até_#_euros
            até_#_reais despesa* preço preços barato barata baratos
        es: presupuesto* coste costo cuesta cuestan cuánto_cuesta hasta_#_euros gasto precio
            precios
        fr: prix coût coûte dépense* combien_coûte
        de: preis preise kosten kostet teuer billig ausgaben
        it: prezzo prezzi costa_troppo quanto_costa spese
        zh: 预算 价格 多少钱 便宜 花费
        ja: 予算 値段 価格 費用 料金
    """,
    "savings_and_debt": """
        en: savings invest invests investing stocks etf etfs pension* retirement mortgage* loan
            loans debt debts crypto bitcoin index_fund dividend* investment investments investor
            investors
        pt: poupança* poupar investe investir investimento* ações_da_bolsa bolsa_de_valores
            reforma_antecipada aposentadoria empréstimo* crédito_habitação financiamento dívida*
            criptomoeda* tesouro_direto fundos_de_investimento hipoteca*
        es: ahorro ahorros ahorrar invierte invertir inversión inversiones acciones_en_bolsa
            jubilación préstamo* deuda* criptomoneda*
        fr: épargne retraite prêt_immobilier emprunt dette* investissement*
        de: ersparnisse sparen geldanlage aktien rente kredit hypothek* schulden
        it: risparmi risparmiare mutuo prestito debiti investire investimenti
        zh: 存款 投资 股票 退休 贷款 房贷 基金
        ja: 貯金 投資 株式 年金 住宅ローン 借金
    """,
    "currency": """
        en: currency currencies euro euros eur usd gbp dollar dollars pounds_sterling
            exchange_rate
        pt: moeda moedas brl reais dólar dólares câmbio_do
        es: moneda monedas pesos tipo_de_cambio divisas
        fr: devise devises
        de: währung* franken
        it: valuta valute moneta
        zh: 货币 人民币 美元 欧元
        ja: 通貨 円建て ユーロ 為替 米ドル ドルで
    """,
    "subscription": """
        en: subscription* subscribed subscriber* subscribes membership* renewal renews
            streaming_service cancel_plan monthly_plan annual_plan yearly_plan
        pt: assinatura* assinante* assina_a subscrição subscrições mensalidade*
            renovação_automática plano_anual plano_mensal cancelar_plano
        es: suscri* mensualidad* renovación_automática plan_anual plan_mensual abonado
        fr: abonné*
        de: abonniert mitgliedschaft abo_von abos
        it: abbonament* abbonato
        zh: 订阅 会员
        ja: サブスク 定期購読 会員 月額
        all: netflix spotify hbo disney_plus prime_video audible deezer
    """,
    "donation": """
        en: charity charities volunteer* ngo nonprofit non_profit donate donates donated donation
            donations
        pt: doação doações doar caridade voluntári* ong ongs solidariedade
        es: donación donaciones donar caridad
        fr: dons_à association_caritative bénévole bénévoles bénévolat
        de: spenden spendet ehrenamt* wohltätig*
        it: donazion* beneficenza volontari*
        zh: 捐款 慈善 志愿者 公益
        ja: 寄付 ボランティア
    """,
    "identity_document": """
        en: passport* id_card identity_card driving_licence driving_license driver_s_license
            driver_s_licence drivers_license social_security_number national_id birth_certificate
        pt: passaporte* cartão_de_cidadão bilhete_de_identidade carteira_de_identidade
            documento_de_identidade rg carta_de_condução carteira_de_motorista cnh
            certidão_de_nascimento segurança_social número_do_cc
        es: pasaporte* dni documento_de_identidad carné_de_identidad carnet_de_conducir
            carné_de_conducir partida_de_nacimiento seguridad_social cédula el_nie su_nie
            número_de_nie
        fr: passeport* carte_d_identité permis_de_conduire
        de: reisepass personalausweis ausweis führerschein geburtsurkunde
        it: passaporto carta_d_identità patente_di_guida
        zh: 护照 身份证 驾照 证件
        ja: パスポート 身分証 運転免許 マイナンバー 免許証
    """,
    "immigration": """
        en: visa visas residence_permit work_permit immigration expat expats green_card asylum
            naturalised naturalized
        pt: visto_para vistos autorização_de_residência título_de_residência imigração aima sef
            naturaliza* visto_de_trabalho
        es: visado* permiso_de_residencia permiso_de_trabajo inmigración extranjería
        fr: titre_de_séjour permis_de_séjour
        de: visum aufenthaltstitel aufenthaltserlaubnis arbeitserlaubnis einbürger*
        it: permesso_di_soggiorno immigrazione
        zh: 签证 居留 移民 绿卡
        ja: ビザ 在留 永住権 移住
    """,
    "contract": """
        en: contract contracts contractual nda clause* terms_and_conditions notary lawsuit
            power_of_attorney lease signed_the lawyer* solicitor agreement agreements legal_advice
            legal_department legal_team
        pt: contratual cláusula* acordo_de termos_e_condições cartório jurídic* processo_judicial
            procuração arrendamento advogad* notari* contrato contratos
        es: acuerdo_de términos_y_condiciones demanda_judicial poder_notarial arrendamiento
            abogad* asesoría_legal
        fr: notaire juridique avocat contrat contrats
        de: vertrag verträge vertrags* klausel* rechtlich* vollmacht anwalt*
        it: contratto contratti clausol* notaio avvocat*
        zh: 合同 协议 法律 律师 条款
        ja: 契約 弁護士 条項 規約
    """,
    "documents": """
        en: document documents paperwork pdf pdfs docx file_format scan scanned scans attachment*
            folder folders filing
        pt: papelada digitaliza* anexo* ficheiro* documento documentos
        es: papeleo escanea* adjunto* carpeta carpetas archivo archivos
        fr: dossier dossiers pièce_jointe fichier*
        de: unterlagen ordner anhang datei dateien dokument dokumente
        it: cartella pratiche documenti allegato allegati
        zh: 文件 文档 附件 资料
        ja: 書類 文書 ファイル 添付
    """,
    "privacy": """
        en: privacy confidential* do_not_share don_t_share gdpr consent data_protection
            personal_data anonymous* off_the_record secret secrets kept_private keep_private
            private_life private_information
        pt: privacidade confidencia* não_partilhar não_compartilhar rgpd lgpd consentimento
            proteção_de_dados dados_pessoais anónim* segredo* sigilo vida_privada em_privado
        es: privacidad no_compartir consentimiento protección_de_datos datos_personales secreto
            secretos en_privado
        fr: vie_privée confidentie* consentement données_personnelles
        de: datenschutz vertraulich* privatsphäre einwilligung dsgvo personenbezogen*
        it: riservat* dati_personali
        zh: 隐私 保密 个人信息 机密
        ja: プライバシー 個人情報 機密 秘密 非公開
    """,
    # Home.
    "residence": """
        en: live lives living_in lived living_with moved_to moving_to relocat* resides resident_of
            residence based_in is_based home_town_now lives_alone
        pt: mora moram morar morada vive vivem viver reside residem residência mudou_se mudar_se
            mudança_de_casa domicílio moradia mudou_para
        es: viven vivir residen se_mudó mudarse mudanza vivo_en
        fr: habite habiter vit_à vit_en domicile déménag*
        de: wohnt wohnen wohne wohnort wohnsitz umzug umgezogen zieht_nach lebt_in
        it: abita abitare vivere residenza risiede trasferit*
        zh: 居住 住在 住址 搬家 搬到 住哪
        ja: 住んで 住まい 在住 引っ越 暮らし 住む
    """,
    "address": """
        <residence
        en: address addresses street avenue postcode post_code zip_code postal_code postal_address
            home_address apartment_number door_number intercom neighbourhood neighborhood district
        pt: endereço* morada moradas rua avenida código_postal cep bairro número_da_porta
            campainha interfone freguesia logradouro
        es: dirección direcciones_postales calle barrio portero_automático timbre número_de_portal
        fr: adresse* rue_de code_postal quartier interphone
        de: anschrift straße postleitzahl plz hausnummer klingel stadtviertel
        it: indirizz* via_roma cap_di codice_postale quartiere citofono
        zh: 地址 街道 邮编 门牌
        ja: 住所 郵便番号 番地
    """,
    "housing": """
        <residence
        en: house houses flat apartment* rent rents rental renting landlord landlady tenant* lease
            townhouse homeowner ground_floor top_floor balcony terrace elevator real_estate
            bedroom bedrooms bathroom bathrooms
        pt: casa_própria apartamento* aluga aluguel aluguer renda_da_casa senhorio senhoria
            inquilin* arrenda* quarto quartos casa_de_banho rés_do_chão varanda terraço elevador
            imóvel imóveis imobiliári* condomínio kitnet vivenda banheiro moradia nova_casa
            comprou_casa
        es: alquiler alquila alquilar dormitorio* piso_de piso_en vivienda* planta_baja ático
            balcón terraza ascensor inmobiliari* casa_propia el_baño casa_nueva compró_casa
        fr: appartement* maison loyer locataire* propriétaire chambre salle_de_bain ascenseur
            logement immobil*
        de: wohnung* miete vermieter* mieter* schlafzimmer badezimmer balkon haus häuser
            eigentumswohnung
        it: appartament* affitto camera_da_letto bagno balcone ascensore casa_di_proprietà
        zh: 房子 公寓 租房 房东 卧室 房租 阳台 电梯
        ja: 家賃 マンション アパート 寝室 一軒家 賃貸
    """,
    "furniture": """
        en: furniture sofa couch desk desks bookcase bookshelf wardrobe armchair rug curtains lamp
            cupboard standing_desk
        pt: móveis mobília mobiliário estante poltrona tapete cortinas candeeiro abajur armário*
            escrivaninha guarda_roupa colchão
        es: mueble* estantería sillón alfombra lámpara
        fr: meuble* canapé fauteuil étagère rideaux tapis armoire
        de: möbel schreibtisch schrank sessel regal teppich vorhänge matratze
        it: mobili_di divano scrivania libreria tappeto armadio
        zh: 家具 沙发 书桌 衣柜 书架
        ja: ソファ 本棚 カーテン 勉強机
    """,
    "appliances": """
        en: appliance* fridge refrigerator freezer dishwasher washing_machine tumble_dryer
            microwave boiler kettle toaster vacuum_cleaner air_conditioning air_conditioner
            thermostat heater radiator induction_hob television water_heater
        pt: eletrodoméstic* electrodoméstic* geladeira frigorífico congelador máquina_de_lavar
            lava_louça microondas micro_ondas forno caldeira chaleira torradeira aspirador
            ar_condicionado termostato aquecedor esquentador fogão televisor
        es: nevera lavadora lavavajillas horno caldera tetera tostadora aspiradora
            aire_acondicionado calefacción calefactor vitrocerámica
        fr: électroménager frigo réfrigérateur lave_linge lave_vaisselle micro_ondes aspirateur
            chaudière climatisation chauffage
        de: kühlschrank waschmaschine spülmaschine mikrowelle staubsauger heizung klimaanlage
            backofen wasserkocher
        it: elettrodomestic* frigorifero lavatrice lavastoviglie microonde aspirapolvere caldaia
            riscaldamento climatizzatore
        zh: 家电 冰箱 洗衣机 空调 微波炉 洗碗机 暖气
        ja: 家電 冷蔵庫 洗濯機 エアコン 電子レンジ 掃除機 暖房
    """,
    "keys": """
        en: keys spare_key spare_keys house_key house_keys front_door locksmith door_code
            alarm_code alarm_system smart_lock gate_code lockbox padlock door_key the_keys
            which_key
        pt: chave_da_porta chave_de_casa chaves chave_reserva chave_suplente fechadura*
            porta_da_frente código_da_porta código_do_alarme chaveiro alarme_da_casa cadeado
        es: llave llaves cerradura* cerrajero código_de_la_puerta código_de_la_alarma
            puerta_principal copia_de_las_llaves candado
        fr: clé_de clés clef clefs serrure* digicode code_d_entrée
        de: schlüssel* türcode schloss_der ersatzschlüssel haustür
        it: chiave_di chiavi serratura* codice_del_cancello codice_del_portone
        zh: 钥匙 门锁 密码锁 门禁
        ja: 鍵 合鍵 玄関 暗証番号
    """,
    "internet": """
        en: internet wifi wi_fi router routers broadband fibre_optic fiber_optic wifi_password
            hotspot modem isp bandwidth connection_speed
        pt: roteador* fibra_óptica fibra_ótica banda_larga rede_wifi rede_sem_fio operadora
        es: banda_ancha red_wifi la_red_de_casa
        fr: box_internet débit_internet routeur fibre_optique
        de: wlan glasfaser internetanschluss
        it: fibra_ottica rete_wifi
        zh: 网络 宽带 路由器 无线网
        ja: インターネット ネット回線 光回線 ルーター
    """,
    "household": """
        en: household cleaning_lady house_cleaning cleaning laundry ironing housework chores
            plumber* electrician* handyman renovat* garbage trash rubbish_collection recycling_bin
            vacuuming cleaner cleaners
        pt: faxina faxineira diarista empregada_doméstica limpeza lavanderia lavandaria
            passar_a_ferro tarefas_domésticas encanador canalizador eletricista pedreiro
            reforma_da_casa lixo
        es: limpieza señora_de_la_limpieza colada planchar tareas_domésticas fontanero plomero
            electricista albañil obras_en_casa basura
        fr: ménage femme_de_ménage lessive repassage plombier électricien poubelle*
        de: haushalt* putzfrau putzen reinigung wäsche bügeln klempner handwerker renovier* müll
        it: pulizie donna_delle_pulizie bucato stirare idraulico elettricista ristruttur*
            spazzatura
        zh: 家务 打扫 保洁 洗衣 水管工 装修 垃圾
        ja: 家事 掃除 洗濯 アイロン ゴミ 水道屋 リフォーム
    """,
    "utilities": """
        en: electricity electric_bill gas_bill water_bill energy_provider power_supplier
            meter_reading solar_panels energy_bill utilities
        pt: eletricidade electricidade conta_de_luz conta_da_luz conta_de_água conta_da_água
            conta_de_gás conta_do_gás energia_elétrica painéis_solares contador_da_luz
        es: electricidad factura_de_la_luz recibo_de_la_luz factura_del_gas factura_del_agua
            placas_solares paneles_solares
        fr: électricité facture_d_électricité facture_de_gaz panneaux_solaires
        de: strom stromanbieter* nebenkosten gasrechnung solaranlage zählerstand
        it: elettricità bolletta bollette pannelli_solari
        zh: 电费 水费 煤气 水电
        ja: 電気代 光熱費 水道代 ガス代 太陽光
    """,
    "garden": """
        en: garden gardens gardening gardener plants lawn houseplant* seedlings flowers flower
            roses vegetable_patch greenhouse balcony_plants watering
        pt: jardim jardins jardinagem jardineir* plantas horta hortas relva gramado flores flor
            regar estufa suculentas
        es: jardín jardines jardiner* huerto huerta césped macetas invernadero
        fr: jardinage plantes potager fleurs fleur pelouse
        de: garten gärtner* pflanzen blumen rasen gießen gemüsebeet
        it: giardino giardini giardinaggio piante orto_di fiori fiore
        zh: 花园 园艺 植物 种花 养花 阳台种
        ja: 園芸 ガーデニング 観葉 庭で 庭に 庭いじり
    """,
    "weather": """
        en: weather too_hot too_cold feels_cold gets_cold rain rainy snow sunny humid humidity
            heat cold_weather hot_weather thermostat heatwave climate
        pt: clima muito_calor muito_frio calor frio chuva chove neve húmido úmido friorent*
            calorent*
        es: mucho_calor mucho_frío lluvia llueve nieve húmedo frioler*
        fr: météo chaleur froid pluie neige climat
        de: wetter temperatur* hitze kälte regen schnee friert
        it: tempo_atmosferico caldo freddo pioggia
        zh: 天气 温度 怕冷 怕热 下雨 气温
        ja: 天気 気温 寒い 暑い 寒がり 暑がり
    """,
    "noise": """
        en: noise noisy loud quiet silence soundproof* earplugs noise_cancelling
        pt: barulho* barulhent* ruído* silêncio tranquil* tampões_de_ouvido
        es: tapones_para_los_oídos
        fr: bruit bruyant* calme
        de: lärm laut_ist leise ruhig* ruhe
        it: silenzi*
        zh: 噪音 安静 吵闹
        ja: 騒音 静か うるさい
    """,
    # Travel and getting about.
    "travel": """
        en: travel* trip trips journey* itinerary destination* abroad overseas holiday_in tourist*
            tourism sightseeing honeymoon backpacking cruise road_trip passport
        pt: viagem viagens viajar viaja viajam viajou viajante* roteiro_de_viagem destino destinos
            no_exterior no_estrangeiro turismo lua_de_mel cruzeiro mochilão turist* passaporte
        es: viaje viajes viajan viajó itinerario extranjero luna_de_miel crucero mochiler*
            pasaporte
        fr: voyage* à_l_étranger tourisme passeport
        de: reise reisen reist reiseziel* ausland flitterwochen urlaub_in kreuzfahrt
        it: viaggi viaggio viaggiare viaggia estero luna_di_miele crociera
        zh: 旅行 旅游 出国 旅程 度假 行程
        ja: 海外 旅先 観光 一人旅
        all: ✈
    """,
    "flight": """
        <travel
        en: flight* airport* plane airplane* airline* fly flies flying flew boarding_pass layover*
            jet_lag red_eye check_in_online business_class economy_class departure_lounge
        pt: voo voos voar voa avião aviões companhia_aérea cartão_de_embarque escala_em
            classe_executiva classe_económica aéroport*
        es: vuelo vuelos volar vuela aeropuerto* avión aviones aerolínea* compañía_aérea
            tarjeta_de_embarque escala_en clase_turista clase_ejecutiva
        fr: vol_pour vols avions compagnie_aérienne escale
        de: flug flüge flughafen flugzeug* fliegt fliegen fluggesellschaft bordkarte
        it: volo voli aereo aerei volare compagnia_aerea
        zh: 航班 飞机 机场 航空 坐飞机
        ja: 飛行機 空港 便名 搭乗
    """,
    "seat": """
        en: seat seats seating window_seat aisle aisle_seat legroom middle_seat front_row
        pt: assento* lugar_à_janela lugar_no_corredor janela_ou_corredor banco_da_frente
            lugar_marcado no_corredor à_janela
        es: asiento* ventanilla pasillo butaca fila_delantera
        fr: hublot couloir côté_fenêtre
        de: sitzplatz sitzplätze fensterplatz gangplatz sitz_am platzreservierung
        it: posto_a_sedere posti_a_sedere finestrino corridoio
        zh: 座位 靠窗 过道 靠走道
        ja: 座席 窓側 通路側
    """,
    "train": """
        en: train trains railway* rail_card railcard train_station eurostar interrail
        pt: trem trens comboio* estação_de_trem estação_de_comboios alfa_pendular ferrovi*
        es: tren trenes estación_de_tren ferrocarril* cercanías
        fr: gare tgv
        de: zug züge bahn bahnhof bahncard zugfahr*
        it: treno treni stazione
        zh: 火车 高铁 车站
        ja: 電車 新幹線 列車 駅
        all: renfe sncf 🚆
    """,
    "public_transport": """
        en: public_transport bus buses subway underground metro tram trams bus_pass ferry bus_stop
        pt: transporte_público transportes_públicos ônibus autocarro* bonde passe_mensal
            bilhete_único
        es: autobús autobuses tranvía abono_transporte parada_de_autobús
        fr: transports_en_commun tramway
        de: öpnv straßenbahn u_bahn s_bahn monatskarte
        it: mezzi_pubblici metropolitana
        zh: 公交 地铁 公共交通
        ja: 地下鉄 定期券 バス停 バスで
    """,
    "taxi": """
        en: taxi taxis cab cabs ride_hailing rideshare ride_share carpool by_uber an_uber uber_app
            uber_ride
        pt: carona boleia motorista_de_aplicativo de_uber um_uber
        es: taxista viaje_compartido en_uber un_uber
        fr: vtc covoiturage
        de: mitfahrgelegenheit
        it: tassista
        zh: 出租车 打车 滴滴
        ja: タクシー 配車
        all: cabify 🚕 lyft
    """,
    "accommodation": """
        <travel
        en: hostel* airbnb accommodation* guesthouse bed_and_breakfast booking bookings
            king_size_bed hotel_room campsite resort hotel hôtels hotel_suite
        pt: hotéis pousada* alojamento* hosped* pensão_completa cama_de_casal quarto_de_hotel
            parque_de_campismo
        es: hoteles hostal* alojamiento* cama_de_matrimonio habitación habitaciones camping
            alberg*
        fr: hébergement auberge gîte chambre_d_hôtel
        de: unterkunft ferienwohnung hotelzimmer
        it: alloggi* ostello camera_d_albergo
        zh: 酒店 宾馆 民宿 住宿
        ja: ホテル 宿泊 旅館 宿を
        all: 🏨
    """,
    "luggage": """
        en: luggage suitcase* baggage carry_on hand_luggage cabin_bag checked_bag backpack*
            rucksack packing_list duffel
        pt: mala_de_mão mala_de_cabine mochila* bagagem_de_mão bagage* mala_de_viagem
            mala_de_porão fazer_a_mala as_malas a_mala
        es: equipaje* maleta maletas equipaje_de_mano facturar_maleta
        fr: valise* sac_à_dos
        de: gepäck* koffer handgepäck
        it: bagagli* valigia valigie zaino bagaglio_a_mano
        zh: 行李 箱子 背包 登机箱
        ja: 手荷物 スーツケース リュック キャリーバッグ
        all: 🧳
    """,
    "car": """
        en: car cars drives driving drove vehicle* license_plate licence_plate number_plate
            electric_car diesel petrol gasoline suv minivan hatchback mechanic car_mechanic
            mileage tyres tires garage motorbike* motorcycle* scooter ev_charger drive flat_tyre
            flat_tire sports_car
        pt: carro carros automóvel automóveis conduz conduzir matrícula_do_carro placa_do_carro
            carro_elétrico gasóleo gasolina mecânico garagem moto motos motocicleta* mota viatura
            pneus dirige_um sabe_dirigir não_dirige dirigir_carro oficina_mecânica pneu
        es: coche coches automóvil* conduce conducir coche_eléctrico gasoil taller_mecánico
            neumático* garaje matrícula_del_coche
        fr: voiture* conduit conduire plaque_d_immatriculation garagiste
        de: auto autos wagen kennzeichen elektroauto benzin werkstatt reifen motorrad*
        it: macchina macchine automobil* guida_un targa benzina meccanico motocicletta gomme
        zh: 汽车 开车 车牌 电动车 摩托车 买车
        ja: 自動車 運転 愛車 車種 バイク ガソリン 電気自動車
        all: tesla toyota bmw volkswagen renault peugeot hyundai volvo mercedes audi nissan
            citroen skoda 🚗
    """,
    "parking": """
        <car
        en: parking park_the_car parks parking_space parking_spot parking_permit car_park
            disabled_parking
        pt: vaga_de_garagem lugar_de_garagem vaga_na_garagem estacionamento estacionar estaciona
        es: aparca* plaza_de_garaje parquea* estacionamiento
        fr: se_garer place_de_parking garer stationnement stationner
        de: parkplatz parkplätze parkhaus parkt parken tiefgarage
        it: parcheggi* posto_auto
        zh: 停车 车位
        ja: 駐車
    """,
    "bicycle": """
        en: bike bikes bicycle* cycling cyclist* cycles_to ebike e_bike mountain_bike road_bike
            helmet bike_ride biking city_bike
        pt: bicicleta* ciclismo ciclista* pedala* bicla capacete ciclovia
        es: bici bicis carril_bici
        fr: vélo vélos cyclisme casque_de_vélo
        de: fahrrad* radfahr* rennrad radelt
        it: biciclett*
        zh: 自行车 骑车 骑行 单车
        ja: 自転車 サイクリング ロードバイク
        all: 🚲
    """,
    "commute": """
        en: commut* way_to_work gets_to_work get_to_work goes_to_work drives_to_work
            cycles_to_work walks_to_work walk_to_work rush_hour
        pt: trajeto_para_o_trabalho vai_para_o_trabalho vai_trabalhar deslocação_diária
            ir_para_o_trabalho como_vai_ao_trabalho vai_ao_trabalho a_caminho_do_trabalho
            hora_de_ponta hora_de_pico
        es: ir_al_trabajo va_al_trabajo van_al_trabajo camino_al_trabajo hora_punta
            desplazamiento_diario
        fr: trajet_domicile trajet_quotidien va_au_travail heure_de_pointe
        de: pendel* arbeitsweg zur_arbeit fährt_zur
        it: pendolar* va_al_lavoro tragitto
        zh: 通勤 上下班
        ja: 通学
    """,
    # Free time.
    "hobby": """
        en: hobby hobbies pastime* free_time spare_time leisure collects collecting collector*
            knit* crochet* sewing sews woodwork* pottery birdwatch* crossword* sudoku origami
            does_for_fun for_fun
        pt: passatempo* tempo_livre tempos_livres coleciona* colecciona* tricô crochê costura
            marcenaria cerâmica palavras_cruzadas lazer
        es: afición aficiones pasatiempo* tiempo_libre tejer ganchillo carpintería crucigrama*
            ocio
        fr: loisir* passe_temps temps_libre collectionn* tricot* couture poterie
        de: hobbys freizeit sammelt stricken strickt häkeln nähen töpfern
        it: tempo_libero collezion* cucito uncinetto
        zh: 爱好 业余 兴趣 收藏 编织 集邮
        ja: 趣味 余暇 暇な時 編み物 収集 手芸
    """,
    "sport": """
        en: sport sports football soccer tennis basketball volleyball swim* rugby cricket golf
            golfer* surf surfing surfer* skiing ski skis snowboard* climbing boulder* padel
            badminton judo karate boxing martial_arts rowing sailing skateboard* ice_skating
            baseball jiu_jitsu athlete* triathl* sporty rock_climbing golf_course black_belt
        pt: esporte* desporto* desportiv* esportiv* futebol tênis_de_mesa basquete* vôlei voleibol
            natação nadar golfe surfa surfar esqui esquiar escalada caratê boxe artes_marciais
            remo vela_esportiva capoeira handebol andebol atleta* futsal triatl*
        es: deportiv* fútbol tenis baloncesto natación nada_en_la_piscina boxeo artes_marciales
            vela_deportiva balonmano béisbol deporte deportes
        fr: natation nager ski_alpin escalade aviron équitation voile_sportive sportif sportive
        de: fußball schwimm* klettern handball skifahren reiten_geht segeln tischtennis sportlich
            sportverein
        it: nuoto nuotare pallavolo pallacanestro sci_alpino arrampicata equitazione sportivo
            partita_di_calcio gioca_a_calcio
        zh: 运动 足球 篮球 网球 游泳 羽毛球 乒乓球 滑雪
        ja: スポーツ 野球 サッカー テニス 水泳 バスケ 卓球 柔道 剣道 スキー
        all: ⚽ 🎾 🏊
    """,
    "gym": """
        <sport
        en: gym gyms workout* work_out works_out exercising fitness crossfit weightlifting
            lifts_weights weight_training personal_trainer yoga pilates spinning_class zumba
            squats exercise exercises
        pt: academia ginásio* ginástica treino treinos treina treinar musculação exercício_físico
            exercícios ioga hidroginástica alongamento* malhar
        es: gimnasio* entrena entrenar entrenamiento* entrenador_personal musculación pesas
            ejercicio_físico hace_ejercicio estiramiento*
        fr: salle_de_sport musculation gymnastique entraînement
        de: fitnessstudio krafttraining trainiert turnen
        it: allenament* allenarsi ginnastica pesi in_palestra
        zh: 健身 锻炼 瑜伽 健身房 普拉提
        ja: ジム 筋トレ ヨガ 運動 トレーニング ピラティス
        all: 🏋 🧘
    """,
    "running": """
        <sport
        en: running runner* jog jogs jogging marathon* half_marathon morning_run parkrun
            runs_every goes_for_a_run go_for_a_run
        pt: corrida corridas corredor_de_rua correr meia_maratona maratón*
        es: corre_por corre_cada media_maratón footing salir_a_correr carrera_popular
        fr: course_à_pied semi_marathon
        de: joggen joggt laufen_geht läufer halbmarathon
        it: corsa mezza_maratona correre
        zh: 跑步 马拉松 慢跑
        ja: ランニング マラソン ジョギング 走る
        all: 🏃
    """,
    "sports_team": """
        <sport
        en: supports_the football_club football_team favourite_team season_ticket season_tickets
            roots_for which_team supporter_of do_they_support does_he_support does_she_support
        pt: torce torcedor* torcida time_do_coração adepto_do adepta_do adepto clube_do_coração
            clube_de_futebol que_time benfiquista sportinguista portista flamenguista corinthiano
            corintiano
        es: hincha hinchas equipo_de_fútbol del_atleti del_barça seguidor_del aficionado_del
            forofo de_qué_equipo
        fr: supporter_de supportrice club_de_foot
        de: fußballfan fußballverein lieblingsverein
        it: tifa tifos* squadra_del_cuore squadra_di_calcio
        zh: 球队 球迷
        ja: 球団 ファンチーム
        all: benfica flamengo corinthians palmeiras sporting_cp fc_porto real_madrid fc_barcelona
            juventus arsenal_fc liverpool_fc manchester_united bayern_munich
    """,
    "outdoors": """
        en: hiking hike hikes hiker* camping campsite outdoors mountains beach beaches fishing
            tent trekking trail_running national_park picnic* walks_in nature_walks forest
        pt: caminhada* trilha* trilho* acampar acampamento campismo montanha* praia praias pescar
            pescaria piquenique ar_livre natureza
        es: senderismo excursión excursiones acampada montaña* playa playas aire_libre caminata*
            naturaleza
        fr: randonnée* montagne* plage plages pêche pique_nique
        de: zelten berge strand angeln picknick draußen wandern wandert wanderung wanderungen
        it: escursion* campeggio montagna spiaggia pesca_sportiva natura
        zh: 徒步 爬山 露营 海边 沙滩 登山 钓鱼
        ja: ハイキング キャンプ 山登り 釣り 海辺 ビーチ
    """,
    "music": """
        en: song songs band bands singer* sing sings singing choir jazz hip_hop techno
            classical_music opera playlist* album albums vinyl gig festival* listens_to lyrics
            metalhead heavy_metal indie_music music* concert concerts live_music house_music
        pt: canção canções banda bandas concerto_de cantor* canta cantar coral rock mpb samba fado
            bossa_nova forró sertanejo pagode ouve ouvir_música vinil concerto concertos
            shows_ao_vivo
        es: canción canciones grupo_de_música concierto* coro flamenco salsa_y_bachata reguetón
            reggaeton escucha_música vinilo* cantant*
        fr: musique* chanson* chanteu* chante chorale
        de: lieder konzert* sänger* singt chor musik musiker musikerin
        it: canzon* concerti
        zh: 音乐 歌曲 演唱会 唱歌 乐队 爵士
        ja: 音楽 コンサート 歌手 歌う ジャズ クラシック音楽 カラオケ ロック音楽 ライブに
        all: spotify soundcloud 🎵 🎶
    """,
    "instrument": """
        <music
        en: guitar* piano pianist* violin* drums drummer cello flute saxophone* sax trumpet
            ukulele bass_guitar clarinet harmonica accordion keyboard_player harp instrument
            instruments
        pt: violão bateria_musical flauta saxofone trompete cavaquinho acordeão acordeon clarinete
            pandeiro gaita viola_caipira violon* instrumento instrumentos toca_bateria toca_viola
            baterista
        es: saxofón trompeta ukelele armónica cajón toca_la_batería
        fr: clarinette accordéon
        de: gitarre* klavier geige* schlagzeug flöte
        it: chitarra pianoforte flauto tromba strumento_musicale sassofono
        zh: 乐器 吉他 钢琴 小提琴 架子鼓 古筝 二胡 笛子
        ja: 楽器 ギター ピアノ バイオリン ドラム フルート チェロ
        all: 🎸 🎹 🎻
    """,
    "dance": """
        en: dance dances dancing dancer* ballet salsa_dancing tango ballroom choreograph*
        pt: dança* bailarin* balé forró samba kizomba coreograf*
        es: baila bailar baile bailes danza bachata salsa_y_bachata
        fr: danse danser danseu*
        de: tanz tanzen tänzer* tanzt ballett
        it: ballo ballare ballerin* balletto
        zh: 跳舞 舞蹈 芭蕾
        ja: ダンス 踊り バレエ
        all: 💃
    """,
    "books": """
        en: books bookshop* bookstore* book_club a_book the_book which_book last_book
            favourite_book audiobook* novel novels reads read reading author authors writer
            writers kindle ebook ebooks e_reader poetry poem poems biography biographies
            nonfiction non_fiction literature comics manga bookworm paperback public_library
        pt: livro livros livraria* romance romances leitura* ler audiolivro* autora autores
            biblioteca* poesia poema* biografia* literatura quadrinhos banda_desenhada gibi autor
            escritor escritora escritores
        es: libro libros librería* novela* leer lectura* audiolibro* tebeo lee_mucho lee_novelas
            lee_libros
        fr: romans lire auteur* librairie bibliothèque poésie un_livre des_livres les_livres
            le_livre
        de: buch bücher romane liest lesen bibliothek hörbuch hörbücher gedichte ein_roman
        it: libri romanzo romanzi legge_molto leggere
        zh: 书籍 看书 读书 小说 阅读 作家 图书馆 诗歌
        ja: 読書 小説 書籍 図書館 漫画 愛読 マンガ
        all: 📚
    """,
    "screen": """
        en: film films movie movies cinema tv_show tv_shows tv_series series documentary actor*
            actress* anime cartoon* sitcom thriller horror_movies sci_fi watch_tv watches binge
            documentari*
        pt: série seriado* ator atriz desenho_animado assiste assistir televisão tv
            ficção_científica filme filmes
        es: película* cine documental* actriz dibujos_animados ver_la_tele televisión tele
            ciencia_ficción
        fr: acteur* actrice* documentaire*
        de: kino serien schauspieler* fernseh* dokumentarfilm
        it: serie_tv attrice televisione attore attori
        zh: 电影 电视剧 综艺 动漫 纪录片 追剧
        ja: ドラマ アニメ 映画館 テレビ
        all: netflix hbo disney_plus 🎬
    """,
    "games": """
        en: game games gaming gamer* video_game video_games videogame* board_game board_games
            chess playstation xbox nintendo card_game card_games puzzles poker
            dungeons_and_dragons esports minecraft
        pt: jogo jogos videojogo* jogos_de_tabuleiro xadrez baralho quebra_cabeça dominó
        es: videojuego* juego juegos juegos_de_mesa ajedrez rompecabezas
        fr: jeu jeux jeux_vidéo jeux_de_société échecs
        de: spiele videospiel* brettspiel* schach
        it: gioco giochi videogioc* giochi_da_tavolo scacchi
        zh: 游戏 桌游 象棋 围棋 麻将 国际象棋
        ja: ゲーム 将棋 囲碁 ボードゲーム チェス
        all: 🎮 ♟
    """,
    "art": """
        en: artist* artwork* painting paintings paints painter* draw draws drawing drawings
            sketch* sculpt* watercolour* watercolor* gallery galleries exhibition* illustrat*
            calligraphy museu* art arts
        pt: arte artes pintura* pintar pinta desenho desenhos desenhar desenha escultura* aquarela
            aguarela galeria exposição exposições ilustra* artesanato pintor pintora pintores
        es: dibujo* dibujar dibuja acuarela exposición exposiciones museo* artesanía
        fr: peinture* peintre* dessin* aquarelle exposition* musée* galerie
        de: kunst künstler* malerei malen zeichn* skulptur* ausstellung*
        it: pittur* dipin* disegn* scultur* musei
        zh: 艺术 画画 绘画 美术 博物馆 展览 书法
        ja: 芸術 絵画 美術 絵を描 アート 展覧会 博物館 書道
        all: 🎨
    """,
    "photography": """
        en: photo photos photograph* picture_of pictures tripod portraits selfie camera cameras
        pt: foto fotos fotógraf* câmara_fotográfica tripé retrato*
        es: trípode cámara cámaras
        fr: appareil_photo
        de: bilder kamera kameras
        it: fotocamera macchina_fotografica
        zh: 摄影 照片 相机 拍照
        ja: 写真 カメラ 撮影
        all: nikon fujifilm leica 📷
    """,
    "theatre": """
        en: theatre* theater* theatrical musicals stand_up_comedy comedy comedian* circus
            play_at_the_theatre
        pt: teatro* peça_de_teatro comédia circo
        es: obra_de_teatro monólogos
        fr: comédie pièce_de_théâtre
        de: komödie kabarett
        it: teatri commedia
        zh: 戏剧 话剧 剧院 相声
        ja: 演劇 舞台 劇場 落語 歌舞伎
        all: 🎭
    """,
    "news_and_podcasts": """
        en: news newspaper* podcast* radio magazine* headlines journalist* blog blogs
        pt: notícias jornal jornais revista* blogue noticiário
        es: periódico* prensa
        fr: actualités journaux
        de: nachrichtensendung zeitung* zeitschrift*
        it: notizie giornali rivista
        zh: 新闻 播客 报纸 电台 杂志
        ja: ニュース 新聞 ポッドキャスト ラジオ 雑誌
    """,
    "festivity": """
        en: christmas xmas easter thanksgiving new_year_s_eve new_years_eve new_year halloween
            hanukkah diwali eid passover valentine* public_holiday public_holidays bank_holiday
            bank_holidays mardi_gras lunar_new_year
        pt: natal páscoa réveillon ano_novo carnaval festas_juninas são_joão feriado* dia_das_mães
            dia_dos_namorados passagem_de_ano
        es: navidad* nochebuena nochevieja año_nuevo semana_santa pascua reyes_magos festivo
            festivos día_de_los_muertos san_valentín
        fr: noël pâques nouvel_an jour_férié jours_fériés saint_valentin
        de: weihnacht* ostern silvester neujahr feiertag* fasching karneval
        it: natale pasqua capodanno ferragosto carnevale giorno_festivo
        zh: 春节 圣诞 中秋 国庆 元旦 节日 端午
        ja: クリスマス 正月 お盆 祝日 ハロウィン ゴールデンウィーク
        all: 🎄
    """,
    # Learning.
    "education": """
        en: education* university universities college bachelor* master_s_degree master_s
            masters_degree mba phd doctorate graduat* studied student* alumni major_in thesis
            dissertation undergraduate degree degree_in
        pt: educação faculdade* graduação licenciatura* licenciad* mestrado* mestre_em doutorad*
            doutoramento formou_se formad* estudou estuda estudar estudante* estudos
            curso_superior tese diploma pós_graduação vestibular bacharel* universidad*
        es: educación facultad carrera_universitaria maestría doctorado* graduó graduad* estudia
            estudiar estudiante* tesis titulación un_máster máster_en
        fr: université* études étudiant* étudié diplôme* licence_en doctorat fac_de
        de: universität* studium studiert studieren abschluss masterarbeit ausbildung hochschul*
            doktorarbeit
        it: università laurea laureat* studia studiato studiare facoltà dottorato tesi_di_laurea
        zh: 大学 学历 专业 硕士 博士 毕业 本科 学生
        ja: 学歴 専攻 卒業 修士 大学院
        all: 🎓
    """,
    "school": """
        en: school schools kindergarten pupil pupils classroom homework high_school primary_school
            secondary_school grade_school school_run preschool teacher teachers
        pt: escola* colégio* ensino_médio ensino_fundamental ensino_secundário aluno* aluna*
            lição_de_casa trabalhos_de_casa turma pré_escola professora sala_de_aula
        es: escuela* alumno* alumna* deberes_del_cole bachillerato al_instituto del_instituto
            el_cole al_cole del_cole profesora
        fr: école* lycée devoirs
        de: schule schulen grundschule gymnasium schüler* hausaufgaben
        it: scuola scuole liceo alunn* elementari compiti_a_casa
        zh: 学校 小学 中学 高中 初中 上学 作业
        ja: 小学校 中学校 高校 生徒 宿題
    """,
    "learning": """
        en: learn learns learning learnt lesson lessons tutor tutors tutorial* exam exams
            workshop* bootcamp duolingo studying revising course courses evening_classes
            takes_classes yoga_class language_class crash_course
        pt: aprende* curso cursos aula aulas explicador* explicações exame exames prova_final
            apostila curso_de formação_profissional
        es: aprendiendo clase_de clases lección lecciones examen*
        fr: apprend* apprentissage leçon* cours_de un_cours des_cours formation_professionnelle
        de: lernen lernt kurs kurse unterricht prüfung* nachhilfe fortbildung weiterbildung
        it: imparare imparando corsi lezion* esame esami corso_di corsi_di
        zh: 学习 课程 上课 考试 培训 正在学
        ja: 勉強 習い 授業 講座 試験 学習 レッスン 研修
    """,
    # Computers.
    "device": """
        en: device devices laptop laptops computer computers smartphone* tablet tablets ipad*
            iphone* macbook* android chromebook desktop_pc smartwatch* headphones earbuds airpods
            printer printers which_phone a_mac his_mac her_mac new_phone
        pt: notebook portátil portáteis computador* auscultadores fone_de_ouvido fones_de_ouvido
            impressora* dispositiv*
        es: portátiles ordenador* tableta* auriculares impresora* reloj_inteligente
        fr: ordinateur* imprimante* écouteurs tablette tablettes
        de: rechner drucker kopfhörer gerät geräte
        it: portatile stampante cuffie
        zh: 电脑 笔记本 平板 耳机 打印机 设备
        ja: パソコン スマホ タブレット イヤホン プリンター 端末
        all: thinkpad pixel_phone galaxy_phone 💻
    """,
    "peripherals": """
        en: keyboard* monitor monitors external_display webcam mechanical_keyboard qwerty azerty
            dvorak colemak trackpad touchpad vertical_mouse docking_station microphone headset
        pt: teclado* monitores rato_vertical mouse_sem_fio microfone* segundo_ecrã segunda_tela
        es: ratón_vertical ratón micrófono* segunda_pantalla
        fr: clavier* écran_externe souris_verticale micro_casque
        de: tastatur* bildschirm* mikrofon*
        it: tastier* schermo_esterno
        zh: 键盘 显示器 鼠标 摄像头 麦克风
        ja: キーボード モニター マウス ウェブカメラ
    """,
    "operating_system": """
        en: operating_system operating_systems mac_os debian fedora arch_linux nixos wsl ios
            android
        en+es: linux windows macos ubuntu
        pt: sistema_operativo sistema_operacional
        fr: système_d_exploitation
        de: betriebssystem*
        zh: 操作系统 苹果电脑 安卓
        ja: 基本ソフト ウィンドウズ リナックス アンドロイド
    """,
    "editor": """
        en: editors text_editor code_editor ide vscode vs_code visual_studio_code vim neovim nvim
            emacs jetbrains intellij pycharm webstorm sublime_text xcode helix_editor
        en+es: editor
        pt: editor_de_código editor_de_texto editores
        fr: éditeur_de_code éditeur_de_texte
        de: texteditor
        it: editor_di_testo
        zh: 编辑器
        ja: エディタ
    """,
    "terminal": """
        en: shell bash zsh command_line tmux powershell iterm dotfiles cli terminal_emulator
        pt: linha_de_comando linha_de_comandos no_terminal
        es: línea_de_comandos en_la_terminal terminal_de_linux
        fr: ligne_de_commande
        de: kommandozeile
        it: riga_di_comando
        zh: 命令行
        ja: コマンドライン ターミナル
    """,
    "programming_language": """
        en: programming_language programming_languages programming codebase golang python
            javascript typescript java kotlin rust erlang elixir ruby php perl csharp cpp clojure
            fortran coder codes_in coding
        pt: linguagem_de_programação linguagens_de_programação programa_em programar programação
            escrito_em
        es: lenguaje_de_programación lenguajes_de_programación programa_en programación escrito_en
        fr: langage_de_programmation
        de: programmiersprache* programmiert programmieren geschrieben_in programmierung
        it: linguaggio_di_programmazione programma_in programmare
        zh: 编程语言 编程 写代码
        ja: プログラミング
    """,
    "framework": """
        en: framework* reactjs django fastapi rails ruby_on_rails vuejs nextjs angular svelte
            laravel spring_boot flutter tailwind nodejs node_js dotnet htmx frontend front_end
            backend back_end jquery react_native react_js in_react with_react uses_react and_react
            react_app react_and react_components
        pt: biblioteca_de_componentes
        es: marco_de_trabajo
        fr: cadriciel bibliothèque_logicielle
        de: programmgerüst
        it: libreria_software
        zh: 框架 前端 后端
        ja: フレームワーク フロントエンド バックエンド
    """,
    "database": """
        en: database* db_schema postgres* mysql sqlite mariadb mongodb redis sql dynamodb
            elasticsearch migrations orm nosql duckdb supabase snowflake_db
        pt: banco_de_dados bancos_de_dados base_de_dados bases_de_dados migrações_do_banco
        es: base_de_datos bases_de_datos migraciones_de_la_base
        fr: base_de_données bases_de_données
        de: datenbank*
        it: database_relazionale base_di_dati
        zh: 数据库
        ja: データベース
    """,
    "cloud": """
        en: cloud cloud_provider hosting hosted_on aws azure gcp google_cloud hetzner digitalocean
            heroku vercel netlify cloudflare kubernetes docker container containers server servers
            data_centre vps serverless self_hosted terraform
        pt: nuvem hospedagem_do_site servidor servidores alojamento_web hospedado_em
            provedor_de_nuvem
        es: nube alojado_en alojamiento_web proveedor_de_nube
        fr: serveur* hébergeur informatique_en_nuage
        de: hoster gehostet rechenzentrum
        it: ospitato_su fornitore_cloud
        zh: 云服务 服务器 阿里云 腾讯云 部署在
        ja: クラウド サーバー
    """,
    "deployment": """
        en: deploy* rollout roll_out rollback roll_back ci_cd github_actions jenkins pipelines
            in_production production_server staging go_live goes_live went_live
            continuous_integration continuous_delivery gitlab_ci blue_green canary_release
            rollouts
        pt: implantação implantar implanta em_produção ambiente_de_produção homologação
            integração_contínua publicar_em_produção
        es: desplieg* desplegar en_producción entorno_de_producción integración_continua
        fr: déploiement mise_en_production intégration_continue
        de: ausroll* produktivsystem bereitstellung
        it: rilascio_in_produzione in_produzione distribuzione_continua
        zh: 部署 上线 生产环境 持续集成
        ja: デプロイ 本番環境 リリース作業
    """,
    "release": """
        en: release releases released changelog semver release_notes versioning launch launch_date
            launches launched beta_version versión versions
        pt: lançamento* lançar lançou versão_nova nova_versão notas_de_versão publicação_da_versão
            data_de_lançamento versão
        es: lanzamiento* lanzar lanzó nueva_versión notas_de_la_versión fecha_de_lanzamiento
        fr: nouvelle_version notes_de_version date_de_sortie
        de: veröffentlich* versionsnummer erscheinungsdatum
        it: rilascio rilasci nuova_versione note_di_versione
        zh: 发布 版本
        ja: リリース バージョン 公開日
    """,
    "testing": """
        en: tests unit_test unit_tests integration_test integration_tests test_coverage pytest
            vitest playwright selenium test_suite end_to_end_tests regression_test
            regression_tests tdd flaky qa_team
        pt: testes teste_unitário testes_unitários testes_automatizados testes_automáticos
            cobertura_de_testes suíte_de_testes
        es: pruebas_unitarias pruebas_automatizadas pruebas_automáticas cobertura_de_pruebas
            tests_unitarios
        fr: tests_unitaires couverture_de_tests tests_automatisés
        de: unittests testabdeckung automatisierte_tests
        it: test_unitari copertura_dei_test test_automatici
        zh: 单元测试 自动化测试 测试覆盖
        ja: 単体テスト 自動テスト ユニットテスト
    """,
    "code_style": """
        en: code_style coding_style code_review code_reviews linter linters linting eslint ruff
            prettier formatter indentation indent tabs_over_spaces spaces_over_tabs tabs_or_spaces
            camelcase snake_case type_hints docstrings line_length naming_convention
            naming_conventions semicolons clean_code refactor*
        pt: estilo_de_código revisão_de_código formatador indentação indentar convenções_de_nomes
            código_limpo refator* tabulações
        es: revisión_de_código formateador sangría indentación convenciones_de_nombres
            código_limpio
        fr: style_de_code revue_de_code
        de: codestil programmierstil einrückung* code_durchsicht
        it: stile_del_codice revisione_del_codice indentazione
        zh: 代码风格 代码规范 缩进 代码审查
        ja: コーディング規約 コードレビュー インデント
    """,
    "version_control": """
        en: version_control github gitlab bitbucket branch branches git commit commits
            pull_request pull_requests merge_request merge_requests rebase monorepo repo
            trunk_based repositor* repos
        pt: controle_de_versão controlo_de_versões ramo_principal
        es: control_de_versiones rama_principal
        fr: gestion_de_versions dépôt_git
        de: versionsverwaltung versionskontrolle
        it: controllo_di_versione
        zh: 版本控制 代码仓库 提交代码
        ja: バージョン管理 リポジトリ ブランチ
    """,
    "api": """
        en: api apis endpoint endpoints rest_api graphql grpc webhook* json openapi rate_limit
            rate_limits sdk
        pt: interface_de_programação api_rest integração_com_a_api limite_de_requisições
            ponto_de_acesso_da_api
        es: interfaz_de_programación integración_con_la_api límite_de_peticiones
        fr: interface_de_programmation
        de: schnittstelle schnittstellen programmierschnittstelle
        it: interfaccia_di_programmazione
        zh: 接口 接口文档
        ja: インターフェース仕様 エンドポイント
    """,
    "security": """
        en: security vulnerab* encrypt* firewall antivirus phishing malware hacked vpn two_factor
            mfa authenticator yubikey penetration_test penetration_tests security_audit ssh_key
            #fa #_fa ssh_keys
        pt: segurança_informática cibersegurança criptograf* encriptad*
            autenticação_de_dois_fatores dois_fatores verificação_em_duas_etapas
        es: ciberseguridad seguridad_informática cifrad* autenticación_de_dos_factores
            dos_factores verificación_en_dos_pasos
        fr: cybersécurité double_authentification chiffrement chiffrer
        de: sicherheitslücke* verschlüssel* zwei_faktor virenschutz
        it: sicurezza_informatica crittograf* due_fattori
        zh: 安全漏洞 加密 双重验证 防火墙 网络安全
        ja: セキュリティ 暗号化 二段階認証 ウイルス対策
    """,
    "password": """
        en: password* passcode* passphrase* pin_code login logins log_in bitwarden lastpass
            keepass credential* sign_in user_account username usernames
        pt: senha senhas palavra_passe palavras_passe código_pin iniciar_sessão credenciais
            gestor_de_senhas gerenciador_de_senhas nome_de_utilizador
        es: contraseña* clave_de_acceso iniciar_sesión credenciales gestor_de_contraseñas
        fr: mot_de_passe mots_de_passe identifiant* se_connecter
        de: passwort passwörter kennwort zugangsdaten anmelden benutzername
        it: parola_d_ordine credenziali nome_utente accedere_con
        zh: 密码 登录 用户名 账号密码
        ja: パスワード ログイン アカウント
    """,
    "issue_tracking": """
        en: ticketing ticket_system issue_tracker bug bugs bug_report bug_reports jira trello
            asana support_ticket support_tickets open_issues helpdesk zendesk clickup basecamp
            youtrack
        pt: relato_de_erro relatórios_de_erros gestão_de_tarefas suporte_ao_cliente
            abrir_um_chamado ticket_de_suporte
        es: gestión_de_incidencias informe_de_errores seguimiento_de_incidencias
            atención_al_cliente tablero_de_tareas ticket_de_soporte
        fr: suivi_des_bugs ticket_de_support rapport_de_bug
        de: fehlerbericht* fehlerverfolgung ticketsystem
        it: segnalazione_di_errori gestione_dei_ticket
        zh: 缺陷 工单
        ja: 不具合 課題管理 チケット管理
    """,
    "on_call": """
        en: on_call oncall pager pagerduty incident incidents outage* downtime postmortem*
            post_mortem escalation escalate* standby
        pt: de_plantão plantonista sobreaviso indisponibilidade_do_serviço fora_do_ar
            escalar_o_incidente incidente incidentes
        es: de_guardia incidencia incidencias caída_del_servicio escalar_el_incidente
        fr: astreinte* panne_de_service
        de: rufbereitschaft bereitschaftsdienst störung störungen
        it: reperibilità incidenti disservizio di_turno
        zh: 值班 故障 宕机
        ja: 当番 障害対応 オンコール 障害報告
    """,
    "monitoring": """
        en: monitoring observability grafana prometheus sentry datadog dashboard* logs logging
            metrics kibana uptime
        pt: monitorização monitoramento monitorar métrica* painel_de_controle painel_de_controlo
            registos_do_sistema
        es: monitorización monitoreo monitorear panel_de_control
        fr: supervision_des_serveurs tableau_de_bord journaux_d_erreurs
        de: überwachung messwerte
        it: monitoraggio cruscotto
        zh: 监控 日志 仪表盘
        ja: 監視 ログ管理 ダッシュボード
    """,
    "package_manager": """
        en: package_manager package_managers npm pnpm pip conda dependency dependencies homebrew
            lockfile dependabot virtualenv
        pt: gestor_de_pacotes gerenciador_de_pacotes dependências_do_projeto
        es: gestor_de_paquetes dependencias_del_proyecto
        fr: gestionnaire_de_paquets dépendances
        de: paketverwaltung paketmanager abhängigkeiten
        it: gestore_di_pacchetti dipendenze
        zh: 包管理 依赖
        ja: パッケージ管理 依存関係
    """,
    "ai_assistant": """
        en: artificial_intelligence chatgpt openai chatbot* copilot claude anthropic llm llms
            language_model language_models machine_learning prompts alexa siri voice_assistant
            voice_assistants virtual_assistant ai_model ai_models ai_assistant ai_tool ai_tools
            generative_ai
        pt: inteligência_artificial assistente_virtual assistente_de_voz aprendizado_de_máquina
            modelo_de_linguagem ferramentas_de_ia usa_ia
        es: asistente_virtual asistente_de_voz aprendizaje_automático modelo_de_lenguaje
            herramientas_de_ia
        fr: intelligence_artificielle assistant_vocal
        de: künstliche_intelligenz sprachassistent* sprachmodell*
        it: intelligenza_artificiale assistente_vocale
        zh: 人工智能 大模型 语音助手
        ja: 人工知能 生成ai 音声アシスタント
    """,
    "office_software": """
        en: spreadsheet* excel google_sheets google_docs powerpoint microsoft_word ms_office
            microsoft_office slides keynote libreoffice airtable word_processor
        pt: planilha* folha_de_cálculo folhas_de_cálculo apresentação_de_slides
            processador_de_texto editor_de_planilhas
        es: hoja_de_cálculo hojas_de_cálculo presentación_de_diapositivas diapositivas
            procesador_de_textos
        fr: tableur diaporama traitement_de_texte
        de: tabellenkalkulation textverarbeitung präsentationsfolien
        it: foglio_di_calcolo fogli_di_calcolo
        zh: 表格 幻灯片 办公软件
        ja: 表計算 エクセル パワーポイント スプレッドシート
    """,
    "knowledge_base": """
        en: wiki confluence obsidian evernote documentation readme note_taking onenote
            knowledge_base handbook runbook* in_notion notion_page notion_workspace
        pt: documentação base_de_conhecimento bloco_de_notas tomar_notas manual_de_instruções
        es: documentación base_de_conocimiento bloc_de_notas manual_de_instrucciones
        fr: base_de_connaissances prise_de_notes
        de: dokumentation wissensdatenbank handbuch notizen
        it: documentazione prendere_appunti base_di_conoscenza
        zh: 知识库 笔记软件 记笔记
        ja: ドキュメント メモアプリ ナレッジ
    """,
    "design_tools": """
        en: figma photoshop canva adobe_xd sketch_app wireframe* mockup* lightroom after_effects
            blender illustrator ux prototyp*
        pt: protótipo* design_gráfico maquete_do_site identidade_visual logótipo
        es: diseño_gráfico maqueta_del_sitio identidad_visual
        fr: graphisme maquette*
        de: grafikdesign entwurf
        it: grafica_pubblicitaria bozzett*
        zh: 设计稿 原型图 平面设计
        ja: デザインツール 試作
    """,
    "appearance": """
        en: dark_mode light_mode dark_theme light_theme fonts font_size typeface wallpaper
            screen_brightness high_contrast colour_theme color_theme
        pt: modo_escuro modo_claro tema_escuro tema_claro fonte_maior tamanho_da_fonte
            tamanho_da_letra tipo_de_letra papel_de_parede
        es: modo_oscuro tema_oscuro tamaño_de_la_fuente tamaño_de_letra tipografía
            fondo_de_pantalla
        fr: mode_sombre thème_sombre thème_clair police_d_écriture
        de: dunkelmodus dunkles_design schriftgröße schriftart
        it: modalità_scura tema_scuro carattere_tipografico
        zh: 深色模式 暗色 字体
        ja: ダークモード 文字サイズ フォント テーマ
    """,
    "backup": """
        en: backup* back_up backs_up dropbox onedrive google_drive external_drive hard_drive
            cloud_storage restore_from hard_drives usb_drive flash_drive
        pt: cópia_de_segurança cópias_de_segurança disco_externo armazenamento_na_nuvem
            fazer_backup
        es: copia_de_seguridad copias_de_seguridad disco_duro almacenamiento_en_la_nube respaldo
        fr: sauvegarde* disque_dur disque_externe
        de: datensicherung sicherungskopie* festplatte*
        it: copia_di_sicurezza disco_esterno salvataggio_dati
        zh: 备份 网盘 硬盘
        ja: バックアップ 外付け
    """,
    "browser": """
        en: browser browsers firefox chrome safari_browser microsoft_edge brave_browser ad_blocker
            bookmarks_bar browser_extension search_engine duckduckgo
        pt: navegador navegadores bloqueador_de_anúncios motor_de_busca
        es: buscador
        fr: navigateur* bloqueur_de_publicité moteur_de_recherche
        de: webbrowser werbeblocker suchmaschine
        it: browser_web motore_di_ricerca
        zh: 浏览器 搜索引擎
        ja: ブラウザ 検索エンジン
    """,
    "website": """
        en: website* web_site domain_name landing_page wordpress shopify homepage online_store
            webshop seo their_site
        pt: site_da domínio_do_site página_web loja_online loja_virtual página_inicial o_site
            no_site do_site um_site
        es: sitio_web tienda_online tienda_en_línea
        fr: site_web site_internet boutique_en_ligne nom_de_domaine
        de: webseite* onlineshop internetseite
        it: sito_web sito negozio_online
        zh: 网站 网页 域名 网店
        ja: ウェブサイト ホームページ ネットショップ ドメイン名
    """,
    "units": """
        en: metric celsius fahrenheit kilometres kilometers miles_per units_of_measurement
            date_format #_hour_clock time_format measurement_units dd_mm_yyyy iso_# imperial_units
            in_miles miles_an_hour
        pt: sistema_métrico unidades_de_medida unidade_de_medida formato_de_data formato_da_data
            formato_#h quilômetros vírgula_decimal
        es: formato_de_fecha formato_de_#_horas kilómetros coma_decimal
        fr: système_métrique format_de_date unités_de_mesure
        de: metrisch* maßeinheit* datumsformat
        it: unità_di_misura formato_della_data
        zh: 公制 日期格式 摄氏度
        ja: メートル法 日付形式 摂氏
    """,
}

CONCEPTS: Mapping[str, str] = MappingProxyType(_CONCEPTS)
"""Each concept's words by its name."""
