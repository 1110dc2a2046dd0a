global using BufferedMessages.Running;
