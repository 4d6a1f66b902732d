"""Programs for hosts: one sends over TCP to all who connect, as much as it can or so much at a time; the other takes it."""

PORT = 5090
SERVE = f"""
import socket, sys, threading, time
size, pause = int(sys.argv[2]), float(sys.argv[3])
server = socket.create_server((sys.argv[1], {PORT}))
print("listening", flush=True)
def serve(connection):
    try:
        while True:
            connection.sendall(bytes(size))
            time.sleep(pause)
    except OSError:
        connection.close()
while True:
    threading.Thread(target=serve, args=server.accept()[:1], daemon=True).start()
"""
FETCH = f"""
import socket, sys
connection = socket.create_connection((sys.argv[1], {PORT}))
while connection.recv(65536):
    pass
"""
