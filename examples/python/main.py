from cdk8s import App

from environment import DEV1
from onboarding import onboard

app = App()
onboard(app, DEV1)
app.synth()
