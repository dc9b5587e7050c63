#!/bin/sh
# An engine for chess that has one fault, named by its first argument. Otherwise it plays the first
# two plies of a game and then nothing legal; as `first` it plays the first of the moves that it may
# choose from. What it hears goes into the file of its second argument.
fault=$1
record=${2:-/dev/null}
moves=
while read -r line; do
    printf '%s\n' "$line" >>"$record"
    case "$line" in
    uci)
        case "$fault" in
        mute) continue ;;
        dead) exit 0 ;;
        endless) exec yes "$(printf 'id \377\376 garbage')" ;;
        esac
        echo 'id name zoo'
        [ "$fault" = spoilt ] && echo 'option name UCI_Variant type combo default chess var chess var bomber'
        echo uciok
        ;;
    isready)
        [ "$fault" = spoilt ] && echo 'info string error: no such game'
        [ "$fault" = unready ] && continue
        [ "$fault" = parent ] && sleep 1000 &
        [ "$fault" = asleep ] && exec sleep 1000
        echo readyok
        ;;
    position*) moves=$line ;;
    go*)
        case "$moves" in
        *' moves '*) answer=e7e5 ;;
        *) answer=e2e4 ;;
        esac
        case "$fault" in
        first)
            choice=${line#* searchmoves }
            echo "info depth 1 score cp -700 nodes 9"
            echo "bestmove ${choice%% *}"
            ;;
        crash) kill -SEGV $$ ;;
        fail) exit 3 ;;
        leave) exit 0 ;;
        close) exec >&- ;;
        parent) exit 3 ;;
        twice) printf 'bestmove %s\nbestmove h2h4\nbestmove h7h5\n' "$answer" ;;
        slow)
            for depth in 1 2 3 4 5 6; do sleep 0.2; echo "info depth $depth score cp 0"; done
            echo "bestmove $answer"
            ;;
        hang) trap '' TERM; while :; do sleep 1; done ;;
        illegal) echo 'bestmove e2e5' ;;
        none) echo 'bestmove (none)' ;;
        empty) echo bestmove ;;
        babble) while :; do printf 'info \377 depth x score cp\0\n'; done ;;
        late) sleep 0.6; echo "bestmove $answer" ;;
        *) echo "bestmove $answer" ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
