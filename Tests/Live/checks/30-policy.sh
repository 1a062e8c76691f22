# Who may do what on the system bus: what the bus refuses, and what the daemon refuses where the bus lets it through.
# shellcheck shell=bash

# as_send USER OBJECT INTERFACE.MEMBER ARGUMENT…: dbus-send says who has refused, where busctl only says that it was.
as_send() {
    local user=$1 object=$2 member=$3
    shift 3
    as "$user" dbus-send --system --print-reply --dest=org.defaultsd1 "/org/defaultsd1$object" "org.defaultsd1.$member" "$@"
}
by_bus='AccessDenied: (Rejected send message|Sender is not authorized)'
check "bob has nothing of alice's" exits 1 as_call bob --system "" Preferences Get ss "$app" font-size
check "the bus refuses bob what is alice's" says "$by_bus" as_send bob "/user/$alice" Preferences.Get "string:$app" string:font-size
check "the bus refuses bob even his own under that path" says "$by_bus" as_send bob "/user/$(id -u bob)" Preferences.Get "string:$app" string:k
check "a call without an interface is refused" exits 1 ./without-interface.py bob
check "bob may not set what holds for all" says 'Only an administrator may' as_send bob "" Machine.SetDefault "string:$app" string:theme variant:string:dark
check "root may" exits 0 call --system "" Machine SetDefault ssv "$app" theme s dark
check "everyone sees it" is 'v s "dark"' as_call bob --system "" Preferences Get ss "$app" theme
check "the user's own daemon sees it too" eventually is dark as alice defaultsctl read "$app" theme
check "it is in the administrator's folder" says '"dark"' cat /etc/defaultsd/defaults.d/50-admin.json
check "which stays root's" is "755 root" stat -c "%a %U" /etc/defaultsd

# shellcheck disable=SC2317 # Called by check, through exits.
request_name() { "$@" busctl --system call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus RequestName su org.defaultsd1 0; }
check "root may not own the name" exits 1 request_name env
check "bob may not own the name" exits 1 request_name as bob

rules=/etc/polkit-1/rules.d/10-bob.rules
cat >$rules <<'RULES'
polkit.addRule(function (action, subject) {
    if (action.id == "org.defaultsd1.machine" && subject.user == "bob") { return polkit.Result.YES; }
});
RULES
chmod 644 $rules
systemctl restart polkit.service
check "polkit knows the action" is org.defaultsd1.machine pkaction --action-id org.defaultsd1.machine
check "whom polkit allows it may" exits 0 as_call bob --system "" Machine SetMandatory ssv "$app" telemetry b false
check "another may not" exits 77 as alice defaultsctl --system machine set-default "$app" theme light
check "an imposed value is locked" exits 77 as alice defaultsctl --system write "$app" telemetry -bool yes
rm $rules
